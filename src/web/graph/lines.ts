/** Edges as the text of an SVG path: many in one, so that a thousand of them cost as little as one. */

/** From point to point, leaving and arriving level: curves between ranks, straight pieces past them. */
export function pathOf(line: readonly number[]): string {
  let path = `M${line[0]} ${line[1]}`;
  for (let i = 2; i < line.length; i += 2) {
    const [x, y] = [line[i] as number, line[i + 1] as number];
    const [fromX, fromY] = [line[i - 2] as number, line[i - 1] as number];
    if (i % 4 === 0) path += `L${x} ${y}`;
    else {
      const bend = Math.max(24, Math.abs(x - fromX) / 2);
      path += `C${fromX + bend} ${fromY} ${x - bend} ${y} ${x} ${y}`;
    }
  }
  return path;
}

const HEAD = 6;

/** The tip at the end of an edge. */
export function headOf(line: readonly number[]): string {
  const [x, y] = [line.at(-2) as number, line.at(-1) as number];
  return `M${x} ${y}l${-HEAD} ${-HEAD / 2}v${HEAD}z`;
}
