/** A receiver of webhooks on this machine, for a server that runs here as well. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Delivered {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  /** All it got so far. */
  got: Delivered[];
  close: () => void;
}

export async function openReceiver(): Promise<Receiver> {
  const got: Delivered[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    got.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/edgeboard-doctor`,
    got,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
