/** The key of a secret `whsec_…`. Throws a TypeError for any other text: such a secret is a mistake of the program. */
export async function readWebhookSecret(secret: string, usages: readonly ("sign" | "verify")[]): Promise<CryptoKey> {
  const [, text] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (text === undefined)
    throw new TypeError("The secret of a webhook is whsec_ and base64, as the channel's creation answered it");
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [...usages]);
}

/** What the signature of a webhook covers. */
export function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}
