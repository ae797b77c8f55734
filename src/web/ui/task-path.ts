/** Where the page of a task is. */
export function taskPath(board: string, number: number): string {
  return `/b/${board}/t/n${number}`;
}
