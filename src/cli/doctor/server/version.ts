/** Are the server and this program of one version? */
import manifest from "../../../../package.json" with { type: "json" };
import type { AtServer, Check } from "../check.ts";
import { good, type Verdict, warning } from "../verdict.ts";
import { ask } from "../wire.ts";

export const version: Check<AtServer> = {
  name: "version",
  run: async (at) => judgeVersions(String((await ask(at, "/healthz")).json?.version), manifest.version),
};

/** The last number is that of corrections, which change nothing that is said between the two. */
export function judgeVersions(server: string, own: string): Verdict {
  if (server === own) return good(`Server and program are both ${own}.`);
  const words = `The server is ${server}, this program ${own}`;
  if (withoutLast(server) === withoutLast(own)) return good(`${words}: they go together.`);
  return warning(`${words}.`, "Bring the older one up to date: calls may be missing, or take other fields.");
}

const withoutLast = (version: string): string => version.replace(/\.[^.]*$/, "");
