/** What of the graph is in view: moving it, zooming it, and which nodes are drawn. Pure, in pixels. */
import { type Layout, NODE_HEIGHT, NODE_WIDTH } from "./layout/dag.ts";

export interface View {
  /** Where the graph's upper left corner is on the screen, and how large a pixel of it. */
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A part of the graph, in its own pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const SCALE_MIN = 0.05;
export const SCALE_MAX = 2;
/** Below this titles cannot be read, and only signs are drawn. */
export const SCALE_FAR = 0.5;
const MARGIN = 24;

/** All of it in view, at its own size at most. */
export function fitted({ width, height }: Size, room: Size): View {
  const wanted = Math.min((room.width - 2 * MARGIN) / width, (room.height - 2 * MARGIN) / height, 1);
  const scale = Math.max(SCALE_MIN, wanted);
  return { x: (room.width - width * scale) / 2, y: (room.height - height * scale) / 2, scale };
}

/** As it is first shown: all of it where that can be read, else its beginning. */
export function opened(size: Size, room: Size): View {
  const all = fitted(size, room);
  if (all.scale >= 0.6) return all.scale === 1 ? { ...all, x: Math.min(all.x, MARGIN), y: MARGIN } : all;
  const scale = 0.9;
  const fits = size.height * scale + 2 * MARGIN <= room.height;
  return { x: MARGIN, y: fits ? (room.height - size.height * scale) / 2 : MARGIN, scale };
}

/** Closer (or farther), with the point under the pointer staying where it is. */
export function zoomed(view: View, factor: number, atX: number, atY: number): View {
  const scale = Math.min(SCALE_MAX, Math.max(SCALE_MIN, view.scale * factor));
  const by = scale / view.scale;
  return { x: atX - (atX - view.x) * by, y: atY - (atY - view.y) * by, scale };
}

/** Moved by as little as brings a node wholly into view. */
export function revealing(view: View, x: number, y: number, room: Size): View {
  const move = (start: number, length: number, all: number) => {
    if (start < MARGIN) return MARGIN - start;
    if (start + length > all - MARGIN) return Math.max(MARGIN - start, all - MARGIN - start - length);
    return 0;
  };
  return {
    ...view,
    x: view.x + move(view.x + x * view.scale, NODE_WIDTH * view.scale, room.width),
    y: view.y + move(view.y + y * view.scale, NODE_HEIGHT * view.scale, room.height),
  };
}

/** Kept so that a part of the graph always stays in view. */
export function bounded(view: View, { width, height }: Size, room: Size): View {
  const keep = (at: number, length: number, all: number) =>
    Math.min(all - 2 * MARGIN, Math.max(2 * MARGIN - length * view.scale, at));
  return { ...view, x: keep(view.x, width, room.width), y: keep(view.y, height, room.height) };
}

/** What is drawn for a view: more than is seen, and in steps, so that a small move draws nothing anew. */
export function boxOf(view: View, room: Size): Box {
  const scale = 2 ** (Math.floor(Math.log2(view.scale) * 2) / 2);
  const step = { x: room.width / 2 / scale, y: room.height / 2 / scale };
  const left = Math.floor(-view.x / view.scale / step.x - 0.5) * step.x;
  const top = Math.floor(-view.y / view.scale / step.y - 0.5) * step.y;
  return { left, top, right: left + 4 * step.x, bottom: top + 4 * step.y };
}

/** The nodes within a box. Where there are more than `most`, those nearest to its middle; ties by their order. */
export function nodesIn({ x, y }: Layout, box: Box, most: number): { full: number[]; rest: number[] } {
  const found: number[] = [];
  for (let node = 0; node < x.length; node++) {
    const [left, top] = [x[node] as number, y[node] as number];
    if (left < box.right && left + NODE_WIDTH > box.left && top < box.bottom && top + NODE_HEIGHT > box.top)
      found.push(node);
  }
  if (found.length <= most) return { full: found, rest: [] };
  const middle = { x: (box.left + box.right - NODE_WIDTH) / 2, y: (box.top + box.bottom - NODE_HEIGHT) / 2 };
  const far = (node: number) => Math.hypot((x[node] as number) - middle.x, (y[node] as number) - middle.y);
  const order = found
    .map((node) => ({ node, far: far(node) }))
    .sort((a, b) => a.far - b.far || a.node - b.node);
  const nodes = order.map(({ node }) => node);
  return { full: nodes.slice(0, most).sort((a, b) => a - b), rest: nodes.slice(most) };
}

/** Whether a line of points may be seen in a box. */
export function touches(line: readonly number[], box: Box): boolean {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < line.length; i += 2) {
    const [x, y] = [line[i] as number, line[i + 1] as number];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
}
