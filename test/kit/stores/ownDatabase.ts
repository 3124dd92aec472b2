import { randomUUID } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { inject } from "vitest";
import { type Config, type Env, readConfig } from "../../../src/config.ts";
import { prepareStoredSecrets } from "../../../src/main/storedSecrets.ts";
import { Keyring } from "../../../src/secrets/keyring.ts";
import { preparePostgres } from "../../../src/store/postgres/postgres.ts";
import { inDatabase } from "./inDatabase.ts";

/** A database of a test's own in the PostgreSQL of all tests. */
export type OwnDatabase = { readonly url: string; readonly pool: pg.Pool; remove(): Promise<void> };

export async function createDatabase(): Promise<OwnDatabase> {
  const name = `own_${randomUUID().replaceAll("-", "")}`;
  await inDatabase((all) => all.query(`CREATE DATABASE ${name}`));
  const url = new URL(inject("lookout").databaseUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 4 });
  // `pool.end` resolves before its connections are closed, and dropping the database ends what is left of them with an error.
  pool.on("error", () => undefined);
  return {
    url: url.href,
    pool,
    async remove() {
      await pool.end();
      await inDatabase((all) => all.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** A process with settings of its own, as far as secrets are concerned. */
export type SecretsProcess = { readonly config: Config; readonly keyring: Keyring; start(): Promise<void> };

export function secretsProcess({ url, pool }: OwnDatabase, env: Env = {}): SecretsProcess {
  const config = readConfig({ DATABASE_URL: url, ...env });
  const keyring = new Keyring(config);
  const log = pino({ level: "silent" });
  return {
    config,
    keyring,
    start: () =>
      preparePostgres(pool, log, new AbortController().signal, (client) =>
        prepareStoredSecrets(client, config, keyring, log),
      ),
  };
}

/** Every text of the database, of each column of each table. */
export async function textOf({ pool }: Pick<OwnDatabase, "pool">): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const texts = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t ORDER BY 1`);
    texts.push(name, ...rows.map(({ text }) => text));
  }
  return texts.join("\n");
}
