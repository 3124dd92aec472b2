import pg from "pg";
import { inject } from "vitest";

/** How long a connection to the database of all tests is kept for the next statements: to make one takes more time than most of them. */
const keptMs = 500;

const kept: { readonly client: pg.Client; readonly end: NodeJS.Timeout }[] = [];

/** Runs statements in the service's PostgreSQL, or in another database. */
export async function inDatabase<T>(work: (database: pg.Client) => Promise<T>, databaseUrl?: string): Promise<T> {
  const isKept = databaseUrl === undefined;
  const database = (isKept ? takeKept() : undefined) ?? (await connect(databaseUrl ?? inject("lookout").databaseUrl));
  let result: T;
  try {
    result = await work(database);
    // What the work has set must not last.
    if (isKept) await database.query("DISCARD ALL");
  } catch (error) {
    await database.end();
    throw error;
  }
  if (isKept) keep(database);
  else await database.end();
  return result;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

function takeKept(): pg.Client | undefined {
  const last = kept.pop();
  if (last === undefined) return undefined;
  clearTimeout(last.end);
  last.client.removeListener("error", forget);
  return last.client;
}

function keep(client: pg.Client): void {
  client.on("error", forget);
  const end = setTimeout(() => {
    kept.splice(
      kept.findIndex((each) => each.client === client),
      1,
    );
    client.end().catch(forget);
  }, keptMs);
  kept.push({ client, end });
}

/** PostgreSQL may end before a connection that nothing uses. */
function forget(): void {}
