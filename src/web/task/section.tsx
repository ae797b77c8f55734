/** A part of a task under its own heading. On the page the task's title is the first heading, in the drawer the second. */
import { createContext, type ReactNode, useContext, useId } from "react";

export const TitleLevel = createContext<1 | 2>(1);

export function TaskTitle({ children, id }: { children: ReactNode; id?: string }) {
  const level = useContext(TitleLevel);
  return level === 1 ? (
    <h1 id={id} className="task-title">
      {children}
    </h1>
  ) : (
    <h2 id={id} className="task-title">
      {children}
    </h2>
  );
}

interface SectionProps {
  title: string;
  /** After the heading, in a few words: that there is nothing, for one. */
  note?: string | undefined;
  /** At the end of its line: what can be done here. */
  actions?: ReactNode;
  children?: ReactNode;
}

export function Section({ title, note, actions, children }: SectionProps) {
  const level = useContext(TitleLevel);
  const titled = useId();
  return (
    <section className="task-section" aria-labelledby={titled}>
      <header>
        {level === 1 ? <h2 id={titled}>{title}</h2> : <h3 id={titled}>{title}</h3>}
        {note !== undefined && <span className="soft">{note}</span>}
        {actions}
      </header>
      {children}
    </section>
  );
}
