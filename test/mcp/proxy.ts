/** A loopback proxy that adds a token: the conformance suite knows no way to send one. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Proxy {
  url: string;
  stop: () => Promise<void>;
}

export async function startProxy(target: string, token: string): Promise<Proxy> {
  const server = createServer((from, to) => forward(target, token, from, to));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => close(server) };
}

/** Everything goes through as it came, the Host and the Origin too: what they are worth is the server's to judge. */
function forward(target: string, token: string, from: IncomingMessage, to: ServerResponse): void {
  const headers = { ...from.headers, authorization: `Bearer ${token}` };
  const through = request(`${target}${from.url}`, { method: from.method, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(to);
  });
  through.on("error", () => to.writeHead(502).end());
  from.pipe(through);
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
