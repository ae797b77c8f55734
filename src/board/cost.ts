/** Rows, as the platform counts and bills them. */
export interface Cost {
  rowsRead: number;
  rowsWritten: number;
}

export const NO_COST: Cost = { rowsRead: 0, rowsWritten: 0 };

export function addCost(one: Cost, other: Cost = NO_COST): Cost {
  return { rowsRead: one.rowsRead + other.rowsRead, rowsWritten: one.rowsWritten + other.rowsWritten };
}
