/** The Worker of the bench: a board that can be made ready and then called, without the edge in front of it. */
import { Board } from "../../src/board/board.ts";
import { Sql } from "../../src/board/store/sql.ts";
import { CASES, type Case } from "./cases.ts";

export class BenchBoard extends Board {
  #prepared: unknown;

  /** `/<board>/prepare/<case>` makes it ready, `/<board>/call/<case>` is timed, and any other does nothing. */
  override async fetch(request: Request): Promise<Response> {
    const [, id = "", step, index] = new URL(request.url).pathname.split("/");
    const { prepare, call, calls } = CASES[Number(index)] as Case;
    if (step === "prepare") {
      this.createBoard({ id, name: "Bench", settings: {}, operationId: id });
      this.#prepared = prepare(this, new Sql(this.ctx.storage.sql));
    }
    if (step === "call")
      for (let each = 0; each < calls; each++) {
        const reply = call(this, this.#prepared as never, each);
        if (!reply.ok) throw new Error(reply.detail);
      }
    return new Response();
  }
}

interface BenchEnv {
  BOARDS: DurableObjectNamespace<BenchBoard>;
}

export default {
  fetch(request, env) {
    const [, id = ""] = new URL(request.url).pathname.split("/");
    return env.BOARDS.getByName(id).fetch(request);
  },
} satisfies ExportedHandler<BenchEnv>;
