/** How a board stands: two of these are equal when nothing has changed in between. */
import { ask, must, type Scene } from "./scene.ts";
import type { Json } from "./wire.ts";

export interface Standing {
  /** Everything a refusal could have touched, as one text. */
  text: string;
  seq: number;
}

/** A task that waited for its time is ready since then, once somebody looks. */
const WAITED = /("notBefore":\d+,)"readySince":\d+/g;

/** A holder that reads the comments of its task has read them: that is what the list of comments is for. */
const READ = /"commentsRead":\d+,/g;

/** The export says what there is, and where the log stands. */
export async function standingOf(scene: Scene): Promise<Standing> {
  const { status, text } = await ask(scene, "GET", `/boards/${scene.board}/export`);
  if (status === 429) return standingOf(scene);
  if (status !== 200) throw new Error(`the board cannot be read: ${text.slice(0, 300)}`);
  scene.exported = text;
  const { exportedAtSeq } = JSON.parse(text.slice(0, text.indexOf("\n")));
  return { text: text.replace(WAITED, "$1").replace(READ, ""), seq: exportedAtSeq };
}

/** Whether all that happened since was the board's own doing: a sweep, a webhook given up. */
export async function movedByItself(scene: Scene, before: Standing, after: Standing): Promise<boolean> {
  if (after.seq === before.seq) return false;
  const { events } = await must(scene, "GET", `/boards/${scene.board}/events?after=${before.seq}&limit=200`);
  return events.every((event: Json) => event.actor.type === "board");
}

/** What is different, in a line: the first line of the export that is, from shortly before it is. */
export function difference(before: Standing, after: Standing): string {
  const [old, now] = [before.text.split("\n"), after.text.split("\n")];
  const line = now.findIndex((text, index) => text !== old[index]);
  const [was = "", is = ""] = [old[line], now[line]];
  const at = Math.max(0, [...is].findIndex((character, index) => character !== was[index]) - 60);
  return `seq ${before.seq} → ${after.seq}; line ${line}: …${was.slice(at, at + 200)} → …${is.slice(at, at + 200)}`;
}
