/** Calls over kept connections, with nothing in between that would be measured along. */
import { Pool } from "undici";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Call = (method: "GET" | "POST", path: string, body?: object) => Promise<any>;

export class Client {
  readonly #pool: Pool;

  constructor(url: string, connections: number) {
    this.#pool = new Pool(url, { connections, pipelining: 1 });
  }

  /** Calls below `base`, as whoever this token is. Anything but success ends the bench. */
  below(base: string, token = ""): Call {
    return async (method, path, body) => {
      const answer = await this.#pool.request({
        method,
        path: base + path,
        headers: {
          ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`${method} ${base}${path}: ${answer.statusCode} ${text}`);
      return text === "" ? null : JSON.parse(text);
    };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
