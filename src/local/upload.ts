/** Sees to the secrets of a deployment and has the vendor's program upload it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Handover, handover, randomSecret, readSecretList } from "./deploy-secrets.ts";
import { runWrangler } from "./wrangler.ts";

export interface Upload {
  environment: string;
  /** The names of the secrets it needs. */
  required: string[];
  /** Where secrets are given, and who uploads. */
  variables: NodeJS.ProcessEnv;
  /** Says something to whoever sits there; null where nobody does, and what is said would end up in a log. */
  tell: ((words: string) => void) | null;
}

/** Null when it is there; a text says what kept it from it. */
export async function upload({ environment, required, variables, tell }: Upload): Promise<string | null> {
  const list = await runWrangler(["secret", "list", "--env", environment, "--format", "json"], { variables });
  const present = readSecretList(list);
  if (typeof present === "string") return present;
  const secrets = handover(required, present, variables, randomSecret);
  if (typeof secrets === "string") return secrets;
  if (secrets.made.length > 0) {
    if (tell === null)
      return `a first deployment makes ${secrets.made.join(" and ")} and tells it once: run it in a terminal, or set it as a variable`;
    // Before the upload: one that breaks off half way may have taken them over, and then nobody could ever know them.
    tell(words(secrets));
  }
  const code = await handOver(environment, secrets.values, variables);
  return code === 0 ? null : `wrangler deploy ended with ${code}; what it said stands above`;
}

function words({ values, made }: Handover): string {
  return `${made.map((name) => `  ${name}=${values[name]}`).join("\n")}

  Told this once: keep it where your team keeps its secrets. The operator's token makes boards and leads every one of
  them; the signing key is asked for when it is changed for another.
`;
}

/** The file of secrets is nobody else's, and gone when the upload has ended, however it did. */
async function handOver(
  environment: string,
  values: Record<string, string>,
  variables: NodeJS.ProcessEnv,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "edgeboard-secrets-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Ctrl-C reaches the upload as well, and this waits for its end.
  const wait = () => {};
  process.on("exit", remove).on("SIGINT", wait);
  const file = join(folder, "secrets.json");
  writeFileSync(file, JSON.stringify(values), { mode: 0o600 });
  const handed = Object.keys(values).length === 0 ? [] : ["--secrets-file", file];
  const { code } = await runWrangler(["deploy", "--env", environment, ...handed], { variables, loud: true });
  process.off("exit", remove).off("SIGINT", wait);
  remove();
  return code;
}
