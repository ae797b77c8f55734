/** Lines by the day they were made on, as this reader's calendar has it. */
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });

export interface Day<T> {
  name: string;
  lines: T[];
}

export function byDay<T extends { at: number }>(lines: readonly T[], now: number): Day<T>[] {
  const days: Day<T>[] = [];
  const today = day.format(now);
  for (const line of lines) {
    const date = day.format(line.at);
    const name = date === today ? "Today" : date;
    const last = days.at(-1);
    if (last?.name === name) last.lines.push(line);
    else days.push({ name, lines: [line] });
  }
  return days;
}
