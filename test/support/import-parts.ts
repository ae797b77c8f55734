/** An import in parts, as a client goes about it. */
import { call, ok, type Reply, type TestBoard } from "./api.ts";

export async function begin(board: TestBoard, body: object = { format: "edgeboard" }): Promise<string> {
  return ok(await call(board.lead, "POST", `${board.path}/imports`, body), 201).id;
}

export function put(
  board: TestBoard,
  id: string,
  n: number | string,
  text: string,
  type = "text/plain",
): Promise<Reply> {
  return call(board.lead, "PUT", `${board.path}/imports/${id}/parts/${n}`, text, { "content-type": type });
}

export const commit = (board: TestBoard, id: string, body: object = {}) =>
  call(board.lead, "POST", `${board.path}/imports/${id}/commit`, body);

/** A text in pieces of this many characters, none of them cut in two. */
export function pieces(text: string, size: number): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(""),
  );
}

export async function sendAll(board: TestBoard, id: string, parts: string[]): Promise<void> {
  for (const [index, text] of parts.entries()) ok(await put(board, id, index + 1, text));
}
