/** The secrets of a deployment: which are there, which are handed over with it, and which are made for it. */
import { randomBytes } from "node:crypto";
import { OPERATOR_TOKEN_MIN } from "../contract/limits.ts";

export interface Handover {
  /** What goes along with this deployment; empty where the Worker has all it needs. */
  values: Record<string, string>;
  /** Those of them that nobody knew before. */
  made: string[];
}

export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * What the Worker has is left as it is: nobody can read it any more, and a new signing key ends every token. What it
 * lacks comes from the environment or is made. A text says what is wrong, and what to do.
 */
export function handover(
  required: string[],
  present: string[],
  environment: Record<string, string | undefined>,
  fresh: () => string,
): Handover | string {
  const values: Record<string, string> = {};
  const made: string[] = [];
  for (const name of required.filter((wanted) => !present.includes(wanted))) {
    const given = environment[name];
    if (given !== undefined && given.length < OPERATOR_TOKEN_MIN)
      return `${name} in the environment has ${given.length} characters and needs ${OPERATOR_TOKEN_MIN}: "openssl rand -hex 32" makes one, or unset it and one is made here`;
    if (given === undefined) made.push(name);
    values[name] = given ?? fresh();
  }
  return { values, made };
}

/** The names in what `wrangler secret list` answered: none where there is no such Worker yet. Else what went wrong. */
export function readSecretList({ code, output }: { code: number; output: string }): string[] | string {
  if (code !== 0)
    return /Worker "[^"]+".* not found\b/.test(output)
      ? []
      : `the secrets of the Worker could not be listed:\n${output.trim()}`;
  // Warnings come first, and have brackets of their own.
  const list = JSON.parse(output.slice(output.search(/^\[/m))) as { name: string }[];
  return list.map(({ name }) => name);
}
