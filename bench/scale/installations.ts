import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { readConfig } from "../../src/config.ts";
import { startScaleStack } from "../../stack/scale/scaleStack.ts";
import { ownStacks, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import type { Installation } from "./measureIngest.ts";

export type Size = { readonly shards: number; readonly replicas: number; readonly apis: number };

/** One API process, PostgreSQL and QuestDB, as `npm start` runs them. */
export function withEmbedded<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  return ownStacks.use({ parts: withoutTemporal }, ({ stack, owner }) =>
    work({
      urls: [stack.config.server.baseUrl],
      websiteIds: [owner.websiteId],
      stores: [stack.config.questdb],
      replicas: 1,
      processes: {
        api: stack.processIds("api"),
        questdb: stack.processIds("questdb"),
        postgres: stack.processIds("postgres"),
      },
    }),
  );
}

/** Three brokers, and a consumer for each QuestDB. */
export async function withLog<T>(size: Size, work: (installation: Installation) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-bench-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  const config = readConfig({ ...process.env, DATA_DIR: dataDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn" });
  const stack = await startScaleStack({
    config,
    log: (line) => console.error(line),
    signal: new AbortController().signal,
    preferUsualPorts: false,
    withTemporal: false,
    workers: 0,
    ...size,
  });
  try {
    const { websiteId }: { websiteId: string } = JSON.parse(
      await readFile(join(dataDir, "api-1", "credentials.json"), "utf8"),
    );
    const websiteIds = [websiteId];
    // The organization of the first start is on the first shard, each further one on the shard with the fewest.
    for (let shard = 1; shard < size.shards; shard += 1)
      websiteIds.push(await addWebsite(readConfig(stack.env).postgres.url));
    const pids = (kind: string) =>
      ["postgres", ...stack.parts]
        .filter((part) => part.startsWith(kind))
        .flatMap((part) => stack.processId(part) ?? []);
    return await work({
      urls: stack.apis.map(({ server }) => `http://127.0.0.1:${server.port}`),
      websiteIds,
      stores: stack.replicas.map(({ http, pg: postgres }) => ({ ...config.questdb, http, pg: postgres })),
      replicas: size.replicas,
      processes: {
        api: pids("api-"),
        consumers: pids("store-"),
        questdb: pids("questdb-"),
        postgres: pids("postgres"),
        brokers: pids("broker-"),
      },
    });
  } finally {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** A website of an organization of its own. */
async function addWebsite(databaseUrl: string): Promise<string> {
  const [organizationId, websiteId] = [randomUUID(), randomUUID()];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("INSERT INTO organizations (id, name) VALUES ($1, 'Bench')", [organizationId]);
    await client.query(
      `INSERT INTO websites (id, client_id, organization_id, name, domain, timezone, public_access)
       VALUES ($1, $2, $3, 'Bench', 'bench.example', 'UTC', false)`,
      [websiteId, randomUUID(), organizationId],
    );
  } finally {
    await client.end();
  }
  return websiteId;
}
