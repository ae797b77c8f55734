/**
 * The world outside of the runtime, as the tests have it: every host is a receiver of webhooks. It runs in Node,
 * so what reaches it went the whole way. A test tells a host what to answer and asks what it got:
 * `PUT /_answers`, `GET /_seen`, and `POST /_release` with the status that hanging requests are answered with.
 */
import { type Request, Response } from "miniflare";

/** A status; or `hang`: no answer before it is released. */
export type Answer = number | "hang";

export interface Seen {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

interface Host {
  answers: Answer[];
  seen: Seen[];
  hanging: ((status: number) => void)[];
}

const hosts = new Map<string, Host>();

export async function receivers(request: Request): Promise<Response> {
  const { host, pathname } = new URL(request.url);
  const here = hosts.get(host) ?? { answers: [], seen: [], hanging: [] };
  hosts.set(host, here);
  if (pathname === "/_answers") {
    here.answers = (await request.json()) as Answer[];
    return new Response();
  }
  if (pathname === "/_seen") return Response.json(here.seen);
  if (pathname === "/_release") {
    const status = Number(await request.text());
    for (const end of here.hanging.splice(0)) end(status);
    return new Response();
  }
  here.seen.push({
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  });
  return answer(here);
}

/** One answer for each request, the last of them for all that follow; 204 where nothing was said. */
async function answer(host: Host): Promise<Response> {
  const next = (host.answers.length > 1 ? host.answers.shift() : host.answers[0]) ?? 204;
  const status = next === "hang" ? await new Promise<number>((end) => host.hanging.push(end)) : next;
  const location = status >= 300 && status < 400 ? { location: "https://elsewhere.example/moved" } : {};
  return new Response(null, { status, headers: location });
}
