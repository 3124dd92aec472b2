import { execFile } from "node:child_process";
import { hkdfSync, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { Pool } from "pg";
import { type Config, ConfigError } from "../config.ts";
import type { NamedKey } from "./envelope.ts";

type KeySettings = Pick<Config["accounts"], "secret" | "oldSecrets" | "keyCommand">;

const minLength = 32;
const commandTimeoutMs = 30_000;
const run = promisify(execFile);

/**
 * The keys that encrypt the data keys, the current one first: from SECRETS_KEY_COMMAND, else AUTH_SECRET, then those of
 * AUTH_SECRET_OLD, last the one that the service generated while none was set. Empty when there is none of them.
 *
 * Rejects with ConfigError when the command fails.
 */
export async function readWrappingKeys(settings: KeySettings, postgres: Pick<Pool, "query">): Promise<NamedKey[]> {
  const texts = [...(await currentKeys(settings)), ...settings.oldSecrets];
  const { rows } = await postgres.query<{ secret: string }>("SELECT secret FROM generated_keys");
  return [...new Set([...texts, ...rows.map(({ secret }) => secret)])].map(wrappingKey);
}

async function currentKeys({ keyCommand, secret }: KeySettings): Promise<string[]> {
  if (keyCommand !== undefined) return await printedKeys(keyCommand);
  return secret === undefined ? [] : [secret];
}

/** Whether the key comes from outside of PostgreSQL. */
export function hasOwnKey({ secret, keyCommand }: KeySettings): boolean {
  return secret !== undefined || keyCommand !== undefined;
}

/** Makes and stores the key of a service for which none is set, unless there is one. */
export async function generateWrappingKey(postgres: Pick<Pool, "query">): Promise<void> {
  await postgres.query("INSERT INTO generated_keys (secret) VALUES ($1) ON CONFLICT DO NOTHING", [
    randomBytes(32).toString("base64url"),
  ]);
}

/** The key of a secret text, and an id that shows nothing of it (HKDF, RFC 5869). */
export function wrappingKey(text: string): NamedKey {
  const derive = (use: string, bytes: number) => Buffer.from(hkdfSync("sha256", text, "", `lookout ${use}`, bytes));
  return { id: derive("id of a key", 8).toString("hex"), key: derive("key of data keys", 32) };
}

/** What the command prints, line by line. Its output is in no message: it may hold keys. */
async function printedKeys(command: string): Promise<string[]> {
  const printed = await run("/bin/sh", ["-c", command], { timeout: commandTimeoutMs, encoding: "utf8" }).catch(
    (failure: { readonly code?: unknown; readonly killed?: boolean }) => {
      const reason = failure.killed ? `took more than ${commandTimeoutMs} ms` : `ended with ${String(failure.code)}`;
      throw new ConfigError(`SECRETS_KEY_COMMAND ${reason}: it must print the key of the encrypted secrets. ${page}`);
    },
  );
  const lines = printed.stdout
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length === 0 || lines.some((line) => line.length < minLength))
    throw new ConfigError(
      `SECRETS_KEY_COMMAND must print a key of at least ${minLength} characters in a line, and former keys in further lines. ${page}`,
    );
  return lines;
}

const page = "See docs/operate/secrets.md";
