/** What makes a repeat of a request recognisable: who, which call, which key, which body. */
import type { OperationKey } from "../board/replay.ts";

/** `text`: everything the call says; under the same key another text is refused. */
export async function operationKey(scope: string, value: string, text: string): Promise<OperationKey> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return { scope, value, bodyHash: hex.join("") };
}
