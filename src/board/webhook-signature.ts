/**
 * Signatures by the Standard Webhooks scheme. A webhook's secret stands in no table: it is derived from the
 * deployment's signing key, the board's incarnation and the webhook's id, whenever it is needed. What is derived
 * cannot collide with the tokens that the same key signs: none of those has a space in it.
 */
const utf8 = new TextEncoder();

export type SigningKeys = Pick<Env, "EDGEBOARD_SIGNING_KEY" | "EDGEBOARD_SIGNING_KEY_PREVIOUS">;

export interface Signer {
  incarnation: string;
  webhookId: string;
}

/** The secret as its receiver is told it. */
export async function webhookSecret(keys: SigningKeys, signer: Signer): Promise<string> {
  return `whsec_${base64(await secretOf(keys.EDGEBOARD_SIGNING_KEY, signer))}`;
}

export interface Message {
  id: string;
  /** Epoch seconds. */
  timestamp: number;
  body: string;
}

/** One signature for each signing key that is set, so that receivers keep verifying while the key is rotated. */
export async function signaturesOf(keys: SigningKeys, signer: Signer, message: Message): Promise<string> {
  const signed = `${message.id}.${message.timestamp}.${message.body}`;
  const set = [keys.EDGEBOARD_SIGNING_KEY, keys.EDGEBOARD_SIGNING_KEY_PREVIOUS ?? ""].filter(
    (key) => key !== "",
  );
  const signatures = await Promise.all(set.map(async (key) => hmac(await secretOf(key, signer), signed)));
  return signatures.map((signature) => `v1,${base64(signature)}`).join(" ");
}

function secretOf(key: string, { incarnation, webhookId }: Signer): Promise<ArrayBuffer> {
  return hmac(utf8.encode(key), `edgeboard webhook ${incarnation} ${webhookId}`);
}

async function hmac(key: BufferSource, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return crypto.subtle.sign("HMAC", imported, utf8.encode(text));
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
