/** How a socket is opened: the one call that is no RPC, since only `fetch` can hand over a socket. */
import type { Result } from "../contract/result.ts";
import { type NewReader, openLive } from "./operations/open-live.ts";
import { read } from "./operations.ts";
import type { Runner } from "./runner.ts";
import { SENT_ALONG, type SocketRequest } from "./stub.ts";

const OPEN_LIVE = read(openLive);

export function openSocket(runner: Runner, request: Request): Response {
  const { call, input } = JSON.parse(
    decodeURIComponent(request.headers.get(SENT_ALONG) ?? ""),
  ) as SocketRequest;
  const reader: Result<NewReader> =
    runner.sockets.refusal(call.caller) ?? runner.serve(OPEN_LIVE, call, input);
  if (!reader.ok) return Response.json(reader);
  return new Response(null, { status: 101, webSocket: runner.sockets.accept(reader.value, runner.now()) });
}
