import pg from "pg";
import type { Config } from "../config.ts";

/** A value that QuestDB binds. Numbers are sent as text and cast by QuestDB to the column's type. */
export type BoundValue = string | number | null;

/** A row; LONG is a number, TIMESTAMP Unix ms. */
export type Row = Record<string, string | number | boolean | null>;

/** OIDs of the PostgreSQL wire protocol (pg_type.dat of PostgreSQL). */
const int8Oid = 20;
const timestampOid = 1114;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === int8Oid) return Number;
    // QuestDB sends UTC without a zone, which pg would read in the machine's zone.
    if (oid === timestampOid) return (text: string) => Date.parse(`${text.replace(" ", "T")}Z`);
    return pg.types.getTypeParser(oid, format);
  },
};

/** pg 8.12 and later; its type declarations do not have it yet. */
type ExtendedQuery = pg.QueryConfig & { queryMode: "extended" };

/**
 * Reads QuestDB over the PostgreSQL wire. Every value travels as a bound parameter: text without parameters could hold several
 * statements, so `read` sends even a statement without values through the extended protocol.
 */
export class QuestdbReader {
  readonly #pool: pg.Pool;

  constructor(settings: Config["questdb"]) {
    this.#pool = new pg.Pool({
      connectionString: settings.pg,
      max: settings.poolSize,
      connectionTimeoutMillis: settings.queryTimeoutMs,
      query_timeout: settings.queryTimeoutMs,
      types,
    });
    // An idle connection that breaks is replaced at the next read; without a listener it would end the process.
    this.#pool.on("error", () => undefined);
  }

  /** Rows of one statement with `$1`, `$2` … bound. Rejects with the driver's error, which no answer may show. */
  async read(sql: string, values: readonly BoundValue[]): Promise<Row[]> {
    const query: ExtendedQuery = { text: sql, values: [...values], queryMode: "extended" };
    const result = await this.#pool.query<Row>(query);
    return result.rows;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
