/** A proxy that breaks one thing on the way, as something in front of a deployment might. */
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** A call, as `POST /api/v1/boards`, and what goes either way; all but the call may be changed. */
export interface Passing {
  call: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Passed extends Passing {
  status: number;
}

export interface Fault {
  /** Changes what is asked. */
  there?: (asked: Passing) => void;
  /** Changes what is answered; false: the answer is lost. */
  back?: (answer: Passed) => boolean | undefined;
  /** Whether sockets are let through. */
  sockets?: boolean;
}

export interface FaultyProxy {
  url: string;
  stop: () => void;
}

export async function startFaultyProxy(
  target: string,
  { there, back, sockets = true }: Fault,
): Promise<FaultyProxy> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url = "/" } = incoming;
    const call = `${method} ${url}`;
    // Packed text cannot be changed.
    const { "accept-encoding": _packed, ...headers } = incoming.headers;
    const asked = { call, headers, body: await textOf(incoming) };
    there?.(asked);
    const sent = withLength(asked, method !== "GET" && method !== "DELETE");
    const passing = request(target + url, { method, headers: sent }, async (answer) => {
      const { statusCode: status = 502 } = answer;
      const passed = { call, status, headers: answer.headers, body: await textOf(answer) };
      if (back?.(passed) === false) return void outgoing.socket?.destroy();
      outgoing.writeHead(passed.status, withLength(passed, passed.status !== 204));
      outgoing.end(passed.body);
    });
    passing.on("error", () => outgoing.socket?.destroy());
    passing.end(asked.body);
  });
  server.on("upgrade", ({ url = "/", headers }, socket, head) => {
    if (!sockets) return void socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    const { hostname, port } = new URL(target);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const onward = connect(Number(port), hostname, () => {
      onward.write(`GET ${url} HTTP/1.1\r\n${lines.join("")}\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward]) {
      end.on("error", () => {});
      end.on("close", () => {
        socket.destroy();
        onward.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(message: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** The text may have become longer or shorter on its way. */
function withLength({ headers, body }: Passing, hasBody: boolean): IncomingHttpHeaders {
  const { "transfer-encoding": _chunked, "content-length": _length, ...rest } = headers;
  return hasBody ? { ...rest, "content-length": String(Buffer.byteLength(body)) } : rest;
}
