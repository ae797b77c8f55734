/** Is the same request under one key done once, and answered twice? */
import { newKey } from "../../../client/clock.ts";
import { BASE } from "../../../contract/route.ts";
import type { AtScratch, Check } from "../check.ts";
import { failed, good, type Verdict } from "../verdict.ts";
import { ask, type Heard } from "../wire.ts";

const NEXT = "Does something in front of the server drop the header Idempotency-Key, or cache answers?";

export const twice: Check<AtScratch> = {
  name: "twice",
  async run(at) {
    const headers = { "idempotency-key": newKey() };
    const create = (body: { title: string; labels?: string[] }) =>
      ask(at, `${BASE}/boards/${at.id}/tasks`, { method: "POST", token: at.tokens.lead, headers, body });
    const request = { title: "asked twice", labels: ["twice"] };
    const first = await create(request);
    const again = await create(request);
    const other = await create({ title: "another" });
    const { tasks } = await at.lead.tasks.list({ label: request.labels });
    return judgeTwice(first, again, other, tasks.length);
  },
};

type Answer = Pick<Heard, "status" | "headers" | "json">;

export function judgeTwice(first: Answer, again: Answer, other: Answer, tasks: number): Verdict {
  if (first.status !== 201) return failed(`A task cannot be created: ${first.json?.detail ?? first.status}`);
  if (tasks !== 1) return failed(`The same request under one key made ${tasks} tasks.`, NEXT);
  const isSame = again.status === 201 && again.json?.task?.id === first.json?.task?.id;
  if (!isSame || again.headers.get("idempotency-replayed") !== "true")
    return failed("A request sent again under its key is not answered as it was the first time.", NEXT);
  if (other.json?.code !== "idempotency_mismatch")
    return failed(`Another request under the same key is answered ${other.status}.`, NEXT);
  return good("The same request under one key is done once and answered twice.");
}
