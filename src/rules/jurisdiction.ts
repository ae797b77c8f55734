/**
 * Where a board's data must stay stands in its id, as in `eu--payments`: whoever knows the board knows where to find
 * it, without a table to ask, and everybody sees it in the address.
 */
import { JURISDICTIONS, type Jurisdiction } from "../contract/places.ts";

const MARK = "--";

/** Null: the board may be anywhere. */
export function jurisdictionOf(boardId: string): Jurisdiction | null {
  const head = boardId.slice(0, Math.max(0, boardId.indexOf(MARK)));
  return JURISDICTIONS.find((jurisdiction) => jurisdiction === head) ?? null;
}

/** The id of a board that is to stay there; null: this id says something else. */
export function placedId(id: string, jurisdiction: Jurisdiction): string | null {
  const said = jurisdictionOf(id);
  if (said === null) return jurisdiction + MARK + id;
  return said === jurisdiction ? id : null;
}
