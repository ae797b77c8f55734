import { fold, missingIn } from "../../rules/search.ts";
import { commentsByNumber, commentsOf } from "../store/comments.ts";
import type { TaskRow } from "../store/rows.ts";
import type { Sql } from "../store/sql.ts";

/** Comments read at a time; each may be long. */
const COMMENTS_STEP = 100;

/** Whether tasks hold every term of a search, by their texts themselves. */
export class TextCheck {
  /** Comments read so far. */
  read = 0;
  readonly #sql: Sql;
  readonly #terms: string[];

  constructor(sql: Sql, terms: readonly string[]) {
    this.#sql = sql;
    this.#terms = terms.map(fold);
  }

  /** Each term in title, description or any comment; `proposed` are comments the index named, read first. */
  holds(task: TaskRow, proposed: readonly number[] = []): boolean {
    let missing = missingIn(task.description, missingIn(task.title, this.#terms));
    const said = (comments: { body: string }[]) => {
      this.read += comments.length;
      for (const { body } of comments) missing = missingIn(body, missing);
    };
    if (missing.length > 0 && proposed.length > 0) said(commentsByNumber(this.#sql, proposed));
    for (let after: number | undefined = 0; missing.length > 0 && after !== undefined; ) {
      const comments = commentsOf(this.#sql, task.id, after, COMMENTS_STEP);
      said(comments);
      after = comments.length < COMMENTS_STEP ? undefined : comments.at(-1)?.number;
    }
    return missing.length === 0;
  }
}
