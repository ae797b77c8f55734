/** The bucket of the tests, and ways in which it fails. */
import { env } from "cloudflare:workers";
import { call, OPERATOR, ok, type TestBoard } from "./api.ts";

export const bucket = (env as Env).ARCHIVE as R2Bucket;

export const shelfOf = (board: TestBoard) => `boards/${board.id}/`;

/** Every object of a board, listed by the bucket itself. */
export async function keysOf(board: TestBoard): Promise<string[]> {
  return (await bucket.list({ prefix: shelfOf(board) })).objects.map(({ key }) => key);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export async function putAway(board: TestBoard, token = board.lead): Promise<any> {
  return ok(await call(token, "POST", `${board.path}/archives`), 201).archive;
}

export const bringBack = (board: TestBoard, id: string, body: object = {}, token = OPERATOR) =>
  call(token, "POST", `${board.path}/archives/${id}/restore`, body);

/** An object that something else than an archive wrote in its place. */
export async function spoil(board: TestBoard, id: string, text: string | Uint8Array): Promise<void> {
  const key = `${shelfOf(board)}${id}.ndjson`;
  const { customMetadata } = (await bucket.head(key)) as R2Object;
  await bucket.put(key, text, customMetadata === undefined ? {} : { customMetadata });
}

export async function textOf(board: TestBoard, id: string): Promise<string> {
  return ((await bucket.get(`${shelfOf(board)}${id}.ndjson`)) as R2ObjectBody).text();
}
