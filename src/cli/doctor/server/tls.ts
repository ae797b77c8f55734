/** Can somebody on the way read the tokens? */
import type { AtServer, Check } from "../check.ts";
import { isLoopback, isSecure } from "../place.ts";
import { failed, good, skipped, type Verdict, warning } from "../verdict.ts";
import { ask, type Heard } from "../wire.ts";

export const tls: Check<AtServer> = {
  name: "tls",
  async run(at) {
    if (isLoopback(at.url)) return skipped("The server is on this machine: nothing leaves it.");
    if (!isSecure(at.url))
      return failed("Tokens go over the network in the clear.", "Use https:// in its address.");
    const { port, host } = new URL(at.url);
    // Behind a port of its own there is nothing to be expected without TLS.
    if (port !== "") return good("The certificate is good.");
    return judgePlain(await ask({ ...at, url: `http://${host}` }, "/healthz").catch(() => null));
  },
};

/** What the same name answers without TLS; null: nothing, which is best. */
export function judgePlain(plain: Pick<Heard, "status" | "headers"> | null): Verdict {
  const leadsOn = plain !== null && plain.headers.get("location")?.startsWith("https://") === true;
  if (plain === null || leadsOn || plain.status >= 400)
    return good("The certificate is good, and nothing is told without TLS.");
  return warning(
    "The certificate is good, but the server answers without TLS too.",
    'Turn on "Always Use HTTPS" for its zone: a token sent to http:// by mistake can be read.',
  );
}
