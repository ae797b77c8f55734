/** Is the page deployed along with the interface, under its own policy? */
import type { AtServer, Check } from "../check.ts";
import { failed, good, type Verdict } from "../verdict.ts";
import { ask, type Heard } from "../wire.ts";
import { missingOfPage } from "./headers.ts";

export const page: Check<AtServer> = {
  name: "page",
  run: async (at) => judgePage(await ask(at, "/")),
};

export function judgePage({ status, headers, text }: Pick<Heard, "status" | "headers" | "text">): Verdict {
  const isPage = headers.get("content-type")?.startsWith("text/html") === true && text.includes("Edgeboard");
  if (status !== 200 || !isPage)
    return failed(
      `There is no page: / answers ${status}.`,
      "Run `npm run build` before the deployment, which takes dist/web along.",
    );
  const missing = missingOfPage(headers);
  if (missing.length === 0) return good("The page is there, and loads from its own origin only.");
  return failed(
    `The page comes without ${missing.join(", ")}.`,
    "Is dist/web/_headers deployed with it, and taken over by whatever is in front?",
  );
}
