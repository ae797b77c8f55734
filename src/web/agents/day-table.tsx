/** The same as the bars, in numbers. */
import { count, money } from "../ui/format.ts";
import { dayName } from "./days.ts";

interface DayRow {
  day: number;
  succeeded: number;
  ended: number;
  costUsd: number;
}

export function DayTable({ rows, label }: { rows: readonly DayRow[]; label: string }) {
  if (rows.length === 0) return <p className="soft">No run ended in these days.</p>;
  return (
    <table className="table agents-days" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col" className="number">
            Succeeded
          </th>
          <th scope="col" className="number">
            Runs ended
          </th>
          <th scope="col" className="number">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ day, succeeded, ended, costUsd }) => (
          <tr key={day}>
            <th scope="row">{dayName(day)}</th>
            <td className="number">{count(succeeded)}</td>
            <td className="number">{count(ended)}</td>
            <td className="number">{money(costUsd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
