/** Boards as their operator makes and lists them. */
import { expect } from "vitest";
import { call, OPERATOR, ok } from "../support/api.ts";

export const freshId = () => `d-${crypto.randomUUID()}`;
export const create = (body: object, headers: Record<string, string> = {}) =>
  call(OPERATOR, "POST", "/boards", body, headers);

export interface Entry {
  id: string;
  name: string;
  archived: boolean;
  createdAt: number;
}

/** The whole list, page by page. */
export async function listed(limit = 200): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: { boards: Entry[]; hasMore: boolean; nextCursor: string | null } = ok(
      await call(OPERATOR, "GET", `/boards?limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`),
    );
    expect(page.boards.length).toBeLessThanOrEqual(limit);
    expect(page.hasMore).toBe(page.nextCursor !== null);
    entries.push(...page.boards);
    cursor = page.nextCursor;
  }
  return entries;
}

export const entryOf = async (id: string) => (await listed()).find((entry) => entry.id === id);
