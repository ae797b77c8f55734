/** A proxy that passes every request on, and loses some of the answers on their way back. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface DroppingProxy {
  url: string;
  passed: () => number;
  dropped: () => number;
  stop: () => void;
}

/** `loses` says of each request, counted from 0, whether its answer is lost. */
export async function startDroppingProxy(
  target: string,
  loses: (nth: number) => boolean,
): Promise<DroppingProxy> {
  let passed = 0;
  let dropped = 0;
  const server = createServer((incoming, outgoing) => {
    const lost = loses(passed++);
    const { method, headers, url = "/" } = incoming;
    const passing = request(target + url, { method, headers }, (answer) => {
      if (lost) {
        // It was done, and nobody is told.
        answer.resume();
        answer.on("end", () => outgoing.socket?.destroy());
        dropped++;
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passing.on("error", () => outgoing.socket?.destroy());
    incoming.pipe(passing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    passed: () => passed,
    dropped: () => dropped,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
