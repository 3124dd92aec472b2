import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Pool } from "pg";
import type { Keyring } from "../../../secrets/keyring.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";

type SigningTools = { readonly postgres: Pick<Pool, "query" | "connect">; readonly keyring: Keyring };

const secretBytes = 32;

/** `<expiry>.<HMAC>`: Unix ms in base 36, and 256 bits in base64url. */
const form = /^([0-9a-z]{1,12})\.([\w-]{43})$/;

const place = "export_secrets.secret";
/** The id of the only row. */
const rowId = "true";

/** The secret that all processes sign with; created at the first use. */
export async function readSigningSecret({ postgres, keyring }: SigningTools): Promise<Buffer> {
  const read = async () => (await postgres.query<{ secret: string }>("SELECT secret FROM export_secrets")).rows[0];
  const known = await read();
  if (known !== undefined) return await opened(known.secret);
  await inTransaction(postgres, async (client) => {
    const secret = await keyring.seal(client, place, rowId, randomBytes(secretBytes).toString("base64"));
    await client.query("INSERT INTO export_secrets (secret) VALUES ($1) ON CONFLICT DO NOTHING", [secret]);
  });
  const made = await read();
  if (made === undefined) throw new Error("a secret that was just inserted is missing");
  return await opened(made.secret);

  async function opened(text: string): Promise<Buffer> {
    return Buffer.from(await keyring.open(postgres, place, rowId, text), "base64");
  }
}

/** Signs the download of an export until a time, Unix ms. The same export and time always give the same signature. */
export function signDownload(secret: Buffer, exportId: string, expiresMs: number): string {
  const expiry = Math.trunc(expiresMs).toString(36);
  return `${expiry}.${hmac(secret, exportId, expiry)}`;
}

/** The expiry of a signature, Unix ms, which may be past; undefined for an invalid signature. */
export function readSignature(secret: Buffer, exportId: string, signature: string): number | undefined {
  const [, expiry, given] = form.exec(signature) ?? [];
  if (expiry === undefined || given === undefined) return undefined;
  // Compared as text: the last of 43 characters carries two unused bits, so four spellings decode to the same bytes.
  const expected = hmac(secret, exportId, expiry);
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return undefined;
  return Number.parseInt(expiry, 36);
}

function hmac(secret: Buffer, exportId: string, expiry: string): string {
  return createHmac("sha256", secret).update(`export-download\n${exportId}\n${expiry}`).digest("base64url");
}
