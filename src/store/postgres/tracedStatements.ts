import { AsyncResource } from "node:async_hooks";
import type pg from "pg";
import { inSpan } from "../../observability/traces.ts";

/** A statement's arguments: its text or what describes it, its values, and at the end perhaps a callback. */
type Arguments = readonly [unknown, ...unknown[]];
type Query = (...args: Arguments) => unknown;

/** Records each statement of the pool as a span with its kind, such as SELECT, and not its text, which may hold values. */
export function traceStatements(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: (...args: unknown[]) => void) => unknown;
  // Who waits for a connection goes on where it began, and not in the span of who has released it.
  pool.connect = ((callback) =>
    connect(callback && AsyncResource.bind(callback))) as typeof connect as pg.Pool["connect"];
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as Query;
    client.query = ((...args: Arguments) => traced(query, args)) as pg.PoolClient["query"];
  });
}

function traced(query: Query, args: Arguments): unknown {
  const name = kindOf(args[0]);
  if (name === undefined) return query(...args);
  const options = {
    kind: "client",
    attributes: { "db.system.name": "postgresql", "db.operation.name": name },
  } as const;
  const callback = args.at(-1);
  if (typeof callback !== "function") return inSpan(`postgres ${name}`, options, async () => await query(...args));
  const ended = new Promise<void>((resolve, reject) => {
    const end = AsyncResource.bind((error: unknown, result: unknown) => {
      if (error) reject(error);
      else resolve();
      callback(error, result);
    });
    query(...(args.slice(0, -1) as unknown as Arguments), end);
  });
  inSpan(`postgres ${name}`, options, () => ended).catch(() => undefined);
  return undefined;
}

/** SELECT, INSERT and so on; undefined for what is no statement, such as a stream of rows. */
function kindOf(statement: unknown): string | undefined {
  const text: unknown =
    typeof statement === "object" && statement !== null && "text" in statement ? statement.text : statement;
  return typeof text === "string" ? (/^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? "OTHER") : undefined;
}
