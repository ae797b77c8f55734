/** Does anything answer there, and is it an Edgeboard? */
import type { AtServer, Check } from "../check.ts";
import { failed, good, type Verdict } from "../verdict.ts";
import { ask, type Heard } from "../wire.ts";

export const reachable: Check<AtServer> = {
  name: "reachable",
  run: async (at) => judgeHealth(at.url, await ask(at, "/healthz")),
};

export function judgeHealth(
  url: string,
  { status, json, sentAt, heardAt }: Pick<Heard, "status" | "json" | "sentAt" | "heardAt">,
): Verdict {
  const tookMs = heardAt - sentAt;
  if (status === 200 && json?.status === "ok")
    return good(`${url} answers, the first time within ${tookMs} ms.`, { firstMs: tookMs });
  return failed(
    `${url} answers ${status}, and not as an Edgeboard does.`,
    "Is it the right address, and nothing in front of it that asks to sign in?",
  );
}
