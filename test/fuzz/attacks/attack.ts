/** What an attack is: something known by name that is tried, and the words for what came of it that should not. */
import { type Deployment, must, type Scene } from "../scene.ts";
import { type Answer, type Json, type Sent, send } from "../wire.ts";

/** Two boards: whoever has tokens of the first wants something of the second, or what is not theirs to have. */
export interface Ground {
  deployment: Deployment;
  own: Scene;
  other: Scene;
}

export interface Attack {
  name: string;
  /** What went wrong; nothing: it was withstood. */
  act: (ground: Ground) => Promise<string[]>;
}

/** A request to a board with any headers. */
export function tried(
  { url }: Deployment,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Json,
  rest: Partial<Sent> = {},
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body ?? ""));
  return send(url, {
    ...{ method, target: `/api/v1${path}` },
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    body: body === undefined ? null : bytes,
    ...rest,
  });
}

export const bearer = (token: string | null) => ({ authorization: `Bearer ${token}` });

/** It had to be refused like this: `401 unauthenticated`. */
export function unless(what: string, { status, json, text }: Answer, ...allowed: string[]): string[] {
  const said = `${status} ${json?.code ?? ""}`.trim();
  return allowed.includes(said) ? [] : [`${what}: ${said || "nothing"} ${text.slice(0, 200)}`];
}

/** Whether somebody else's board would notice. */
export async function stillServes({ deployment, own }: Ground): Promise<string[]> {
  const { board } = await must(deployment, "GET", `/boards/${own.board}`);
  return board.id === own.board ? [] : ["the board is not what it was"];
}
