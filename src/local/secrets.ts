/** The two secrets a deployment needs, for a local one: made once, kept in `.dev.vars`. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

export const SECRETS = ["EDGEBOARD_OPERATOR_TOKEN", "EDGEBOARD_SIGNING_KEY"] as const;

export type Secrets = Record<(typeof SECRETS)[number], string>;

/** Values of the environment win over those of the file; missing ones are made and written down. */
export function localSecrets(file: string, environment: NodeJS.ProcessEnv): Secrets {
  const stored = existsSync(file) ? readVars(readFileSync(file, "utf8")) : {};
  const made: string[] = [];
  const entries = SECRETS.map((name) => {
    const given = environment[name] ?? stored[name];
    if (given !== undefined && given !== "") return [name, given];
    const fresh = randomBytes(32).toString("base64url");
    made.push(`${name}=${fresh}`);
    return [name, fresh];
  });
  if (made.length > 0) {
    const before = existsSync(file) ? `${readFileSync(file, "utf8").trimEnd()}\n` : "";
    writeFileSync(file, `${before}${made.join("\n")}\n`, { mode: 0o600 });
  }
  return Object.fromEntries(entries) as Secrets;
}

function readVars(text: string): Record<string, string> {
  const lines = text.split("\n").map((line) => /^\s*(\w+)\s*=\s*"?([^"]*)"?\s*$/.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match === null ? [] : [[match[1], match[2]]])));
}
