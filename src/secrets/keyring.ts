import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { type Config, ConfigError } from "../config.ts";
import { keyIdOf, type NamedKey, openText, sealText } from "./envelope.ts";
import type { SealedPlace } from "./sealedColumns.ts";
import { generateWrappingKey, hasOwnKey, readWrappingKeys } from "./wrappingKeys.ts";

type Queryable = Pick<Pool, "query">;

type WrappedKey = { readonly id: string; readonly wrappedBy: string; readonly wrapped: string };

/**
 * Encrypts and decrypts the secrets in PostgreSQL. They are encrypted with a data key, which is in the table
 * secret_keys, itself encrypted with the operator's key (AUTH_SECRET or SECRETS_KEY_COMMAND).
 *
 * A data key that another process has made since is read when it is first met, so processes go on working while the
 * secrets are encrypted anew.
 */
export class Keyring {
  readonly #settings: Config["accounts"];
  readonly #dataKeys = new Map<string, Buffer>();
  #wrappingKeys: Promise<readonly NamedKey[]> | undefined;

  constructor({ accounts }: Pick<Config, "accounts">) {
    this.#settings = accounts;
  }

  /** Whether the operator's key comes from outside of PostgreSQL. */
  get hasOwnKey(): boolean {
    return hasOwnKey(this.#settings);
  }

  /**
   * Encrypts a secret of a row, in the transaction that stores it: while it lasts, its data key is not removed. An
   * empty text stays empty. Rejects when PostgreSQL is unavailable.
   */
  async seal(client: Queryable, place: SealedPlace, rowId: string, text: string): Promise<string> {
    if (text === "") return "";
    // Where a rotation removes the newest key in the very moment, a second look finds the one that replaced it.
    const keyId = (await heldKey(client)) ?? (await heldKey(client));
    if (keyId === undefined) throw new Error("PostgreSQL has no key for secrets yet");
    return sealText(await this.#dataKey(client, keyId), `${place}\0${rowId}`, text);
  }

  /**
   * Decrypts a secret of a row. A text that is no envelope was stored before secrets were encrypted, and stays as it
   * is. Rejects when no key opens it, or PostgreSQL is unavailable and the key is not known yet.
   */
  async open(client: Queryable, place: SealedPlace, rowId: string, text: string): Promise<string> {
    const keyId = keyIdOf(text);
    return keyId === undefined ? text : openText(await this.#dataKey(client, keyId), `${place}\0${rowId}`, text);
  }

  /**
   * Reads all data keys. Resolves to whether there is one. Rejects with ConfigError when one of them cannot be opened
   * with any of the keys that are set.
   */
  async check(client: Queryable): Promise<boolean> {
    const rows = await readWrapped(client);
    for (const isRepeated of [false, true]) {
      // Another process may have generated a key since.
      if (isRepeated) this.#wrappingKeys = undefined;
      const wrapping = await this.wrappingKeys(client);
      for (const row of rows) {
        const key = wrapping.find(({ id }) => id === row.wrappedBy);
        if (key !== undefined) this.#dataKeys.set(row.id, unwrap(key, row));
      }
      if (rows.every(({ id }) => this.#dataKeys.has(id))) return rows.length > 0;
    }
    throw new ConfigError(this.#wrongKey());
  }

  /** Makes a new data key, which new secrets are encrypted with from now on. Any of the keys that are set opens it. */
  async addDataKey(client: Queryable): Promise<string> {
    if (!this.hasOwnKey) {
      await generateWrappingKey(client);
      this.#wrappingKeys = undefined;
    }
    const wrapping = await this.wrappingKeys(client);
    const id = randomBytes(8).toString("hex");
    const key = randomBytes(32);
    const { rows } = await client.query<{ number: string }>("SELECT nextval('secret_key_numbers') AS number");
    for (const wrapper of wrapping)
      await client.query("INSERT INTO secret_keys (id, number, wrapped_by, wrapped) VALUES ($1, $2, $3, $4)", [
        id,
        rows[0]?.number,
        wrapper.id,
        sealText(wrapper, `secret_keys\0${id}`, key.toString("base64url")),
      ]);
    this.#dataKeys.set(id, key);
    return id;
  }

  /** The operator's keys, the current one first; read once. */
  async wrappingKeys(client: Queryable): Promise<readonly NamedKey[]> {
    this.#wrappingKeys ??= readWrappingKeys(this.#settings, client).catch((error: unknown) => {
      this.#wrappingKeys = undefined;
      throw error;
    });
    return await this.#wrappingKeys;
  }

  async #dataKey(client: Queryable, id: string): Promise<NamedKey> {
    if (!this.#dataKeys.has(id)) await this.check(client);
    const key = this.#dataKeys.get(id);
    if (key === undefined) throw new Error(`The key ${id} of a secret is missing in PostgreSQL`);
    return { id, key };
  }

  #wrongKey(): string {
    const { secret, keyCommand } = this.#settings;
    const found =
      keyCommand !== undefined
        ? "SECRETS_KEY_COMMAND prints another key than"
        : secret !== undefined
          ? "AUTH_SECRET is another one than"
          : "AUTH_SECRET is not set, but was";
    return (
      `${found} when the secrets in PostgreSQL were encrypted, so they cannot be read; nothing was changed. ` +
      "Set it as it was, or list its former value in AUTH_SECRET_OLD and run: npm run rotate-secrets. See docs/operate/secrets.md"
    );
  }
}

/** The id of the newest data key, which is not removed before the transaction ends. */
async function heldKey(client: Queryable): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM secret_keys ORDER BY number DESC LIMIT 1 FOR SHARE",
  );
  return rows[0]?.id;
}

async function readWrapped(client: Queryable): Promise<WrappedKey[]> {
  const { rows } = await client.query<WrappedKey>(
    `SELECT id, wrapped_by AS "wrappedBy", wrapped FROM secret_keys ORDER BY number`,
  );
  return rows;
}

function unwrap(key: NamedKey, { id, wrapped }: WrappedKey): Buffer {
  return Buffer.from(openText(key, `secret_keys\0${id}`, wrapped), "base64url");
}
