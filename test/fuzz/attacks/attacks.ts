/** All attacks that are known by name, one after the other. */
import type { Report } from "../report.ts";
import { type Deployment, newScene } from "../scene.ts";
import type { Attack } from "./attack.ts";
import { BODIES } from "./bodies.ts";
import { BROWSERS } from "./browsers.ts";
import { HEADERS } from "./headers.ts";
import { PATHS } from "./paths.ts";
import { TOKENS } from "./tokens.ts";

const ATTACKS: Attack[] = [...TOKENS, ...BROWSERS, ...PATHS, ...HEADERS, ...BODIES];

/** How many there were. */
export async function attack(deployment: Deployment, report: Report): Promise<number> {
  const other = await newScene(deployment, null);
  const own = await newScene(deployment, other.tokens.lead);
  for (const { name, act } of ATTACKS) {
    const faults = await act({ deployment, own, other }).catch((error: Error) => [String(error.stack)]);
    if (faults.length === 0) console.log(`ok     ${name}`);
    for (const fault of faults) report.add(fault, { url: deployment.url, who: name });
  }
  return ATTACKS.length;
}
