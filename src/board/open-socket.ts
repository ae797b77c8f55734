/** How a socket is opened: the one call that is no RPC, since only `fetch` can hand over a socket. */
import { accept } from "../contract/result.ts";
import { type OpenLive, openLive } from "./operations/open-live.ts";
import { read } from "./operations.ts";
import type { Call, Reply } from "./replay.ts";
import type { Runner } from "./runner.ts";
import { COST, SENT_ALONG, type SocketRequest } from "./stub.ts";

const OPEN_LIVE = read(openLive);

export function openSocket(runner: Runner, request: Request): Response {
  const { call, input } = JSON.parse(
    decodeURIComponent(request.headers.get(SENT_ALONG) ?? ""),
  ) as SocketRequest;
  const opened = runner.counted("openLive", () => open(runner, call, input));
  if (!opened.ok) return Response.json(opened);
  // A socket's answer has no body to say it in.
  const headers = { [COST]: JSON.stringify(opened.cost) };
  return new Response(null, { status: 101, webSocket: opened.value, headers });
}

function open(runner: Runner, call: Call, input: OpenLive): Reply<WebSocket> {
  const reader = runner.sockets.refusal(call.caller) ?? runner.serve(OPEN_LIVE, call, input);
  return reader.ok ? accept(runner.sockets.accept(reader.value, runner.now())) : reader;
}
