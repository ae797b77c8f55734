/** What is laid out, and what comes of it: numbers alone, so that they travel to the worker and back. */

/** Nodes are 0 to `count`, in the order of their numbers on the board. */
export interface Dag {
  count: number;
  /** What is waited for, and what waits. */
  edges: readonly (readonly [from: number, to: number])[];
}

export interface Layout {
  /** The upper left corner of each node. */
  x: number[];
  y: number[];
  /** Of each edge its points, x and y in turn: curves and straight pieces alternate, a curve first. */
  lines: number[][];
  width: number;
  height: number;
}

export const NODE_WIDTH = 208;
export const NODE_HEIGHT = 48;
/** Between two ranks: room for the curves. */
export const RANK_GAP = 64;
export const ROW_GAP = 12;
/** Between two parts of the graph that do not touch. */
export const PART_GAP = 28;
/** Where an edge passes a rank it takes this much of its height. */
export const PASSING_HEIGHT = 6;
/** An edge over more ranks than this passes behind whatever stands there: it would push everything apart. */
export const PASSING_MAX = 6;
