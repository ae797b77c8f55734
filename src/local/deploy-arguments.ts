/** What `npm run deploy -- …` is asked for. */
import { parseArgs } from "node:util";

export interface Asked {
  environment: string;
  dryRun: boolean;
}

export const USAGE = `npm run deploy -- [--env production] [--dry-run]
  --env       which environment of wrangler.toml; production
  --dry-run   builds and measures what would be uploaded; needs no account`;

/** Where nobody names one. */
const DEFAULT = "production";

/** A text says what is wrong with the arguments. */
export function readArguments(args: string[], environments: string[]): Asked | string {
  try {
    const { values } = parseArgs({
      args,
      options: { env: { type: "string", default: DEFAULT }, "dry-run": { type: "boolean", default: false } },
    });
    if (environments.includes(values.env)) return { environment: values.env, dryRun: values["dry-run"] };
    return `wrangler.toml has no environment "${values.env}": take ${environments.join(" or ")}`;
  } catch (error) {
    return (error as Error).message;
  }
}
