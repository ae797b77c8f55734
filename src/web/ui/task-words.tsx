/** The title and the description of a task that is being made. */
import { TITLE_MAX } from "../../contract/limits.ts";
import { Labelled } from "./labelled.tsx";

export interface TaskWords {
  title: string;
  description: string;
}

interface TaskWordsProps {
  words: TaskWords;
  onWords: (words: TaskWords) => void;
}

export function TaskWordsFields({ words, onWords }: TaskWordsProps) {
  return (
    <>
      <Labelled name="Title">
        {(id) => (
          <input
            id={id}
            className="input"
            required
            maxLength={TITLE_MAX}
            value={words.title}
            onInput={(event) => onWords({ ...words, title: event.currentTarget.value })}
          />
        )}
      </Labelled>
      <Labelled name="Description">
        {(id) => (
          <textarea
            id={id}
            className="input"
            value={words.description}
            onInput={(event) => onWords({ ...words, description: event.currentTarget.value })}
          />
        )}
      </Labelled>
    </>
  );
}
