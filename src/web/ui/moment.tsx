/** How long ago something was; the exact moment is its title. */
import { ago, moment } from "./format.ts";
import { useTime } from "./time.ts";

export function Ago({ at }: { at: number }) {
  const text = useTime((now) => ago(at, now));
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at)}>
      {text}
    </time>
  );
}

/** The moment itself. */
export function When({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{moment(at)}</time>;
}
