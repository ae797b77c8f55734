/**
 * A record that is longer than an answer, read from front to back. It is a row of sections, each of them rows, and
 * of a row the long texts may be cut; a cursor says in which section, behind which row, and how far into the next.
 */
import type { Room } from "./room.ts";

export interface Row {
  /** Counts up within its section, so that reading goes on behind it. */
  key: number;
  fixed: object;
  texts?: Record<string, string | null>;
}

export interface Place {
  section: string;
  /** The last row that was shown whole. */
  after: number;
  /** Characters of the next row's texts that were shown. */
  offset: number;
}

export interface Section {
  name: string;
  /** The rows behind this one, in their order, fetched as far as they are wanted. */
  rows: (after: number) => AsyncIterable<Row> | Iterable<Row>;
}

export interface Page {
  /** By section: what of it is shown, where something is. */
  shown: Record<string, object[]>;
  next: Place | null;
}

/** A row is not cut for the sake of less than this share of the room there was. */
const WORTH_CUTTING = 2;

export async function fillPage(room: Room, sections: readonly Section[], from: Place | null): Promise<Page> {
  const size = room.left;
  const shown: Page["shown"] = {};
  const first = from === null ? 0 : sections.findIndex(({ name }) => name === from.section);
  for (const [index, { name, rows }] of sections.slice(first).entries()) {
    const place = { section: name, after: 0, offset: 0, ...(index === 0 ? from : null) };
    const list: object[] = [];
    shown[name] = list;
    for await (const row of rows(place.after)) {
      const piece = placeRow(room, row, place.offset, room.left * WORTH_CUTTING > size);
      if (piece === null) return { shown, next: place };
      list.push(piece.shown);
      if (piece.offset !== null) return { shown, next: { ...place, offset: piece.offset } };
      place.after = row.key;
      place.offset = 0;
    }
  }
  return { shown, next: null };
}

interface Piece {
  shown: object;
  /** Where its texts were cut; null: it is whole. */
  offset: number | null;
}

function placeRow(room: Room, { fixed, texts = {} }: Row, offset: number, mayCut: boolean): Piece | null {
  const rest = behind(texts, offset);
  const whole = { ...fixed, ...Object.fromEntries(rest) };
  if (room.take(whole)) return { shown: whole, offset: null };
  if (!mayCut || !room.take({ ...fixed, cut: true, ...Object.fromEntries(rest.map(([name]) => [name, ""])) }))
    return null;
  const shown: Record<string, unknown> = { ...fixed };
  let reached = offset;
  for (const [name, text] of rest) {
    const piece = room.takeText(text);
    shown[name] = piece;
    reached += piece.length;
    if (piece.length < text.length) break;
  }
  return { shown: { ...shown, cut: true }, offset: reached };
}

/** What is left of these texts behind so many characters of them, taken together. */
function behind(texts: NonNullable<Row["texts"]>, offset: number): [string, string][] {
  let skip = offset;
  return Object.entries(texts).flatMap(([name, text]): [string, string][] => {
    if (text === null || (text.length <= skip && skip > 0)) {
      skip -= text?.length ?? 0;
      return [];
    }
    const rest = text.slice(skip);
    skip = 0;
    return [[name, rest]];
  });
}

export function writePlace({ section, after, offset }: Place): string {
  return `${section}.${after}.${offset}`;
}

export function readPlace(cursor: string, sections: readonly Section[]): Place | null {
  const [, section = "", after, offset] = /^([a-z]+)\.(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (!sections.some(({ name }) => name === section)) return null;
  return { section, after: Number(after), offset: Number(offset) };
}
