/** What one worker left for the next. */
import type { Handoff } from "../../contract/task.ts";
import { LongText } from "../ui/long-text.tsx";

export function HandoffView({ handoff }: { handoff: Handoff }) {
  const { done = [], broken = [], warnings = [], next, whyBlocked, evidence, commands = {} } = handoff;
  const { runtime, nativeSessionId } = handoff;
  const rows: [string, string[]][] = [
    ["Done", done],
    ["Broken", broken],
    ["Warnings", warnings],
    ["Next", some(next)],
    ["Why blocked", some(whyBlocked)],
    ["Evidence", some(evidence)],
    ["Session", some([runtime, nativeSessionId].filter((part) => part !== undefined).join(" "))],
  ];
  return (
    <dl className="task-handoff">
      {rows.map(([name, texts]) =>
        texts.length === 0 ? null : (
          <div key={name}>
            <dt>{name}</dt>
            {texts.map((text, index) => (
              <dd key={index}>
                <LongText text={text} />
              </dd>
            ))}
          </div>
        ),
      )}
      {Object.entries(commands).map(([name, line]) => (
        <div key={name}>
          <dt>To {name}</dt>
          <dd>
            <code className="foreign">{line}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const some = (text: string | undefined): string[] => (text === undefined || text === "" ? [] : [text]);
