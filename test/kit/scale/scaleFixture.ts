import { chmod, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { type ScaleOptions, type ScaleStack, startScaleStack } from "../../../stack/scale/scaleStack.ts";
import { type Owner, ownerOf } from "../stack/owner.ts";
import { inDatabase } from "../stores/inDatabase.ts";

export type ScaleFixture = {
  readonly stack: ScaleStack;
  readonly owner: Owner;
  /** Above those of all parts. */
  readonly dataDir: string;
  remove(): Promise<void>;
};

type Parts = Partial<Pick<ScaleOptions, "shards" | "replicas" | "apis" | "workers" | "brokers">> & {
  /** Whether it has a PostgreSQL and a Temporal of its own, so that these can be killed. */
  readonly ownStores?: boolean;
  /** Directories of DATA_DIR that lie elsewhere, by their paths in it. */
  readonly placed?: ReadonlyMap<string, string>;
};

/**
 * By default brokers, one shard with two replicas and two APIs, on a database of their own in the PostgreSQL of all tests. Workers need a
 * namespace of their own in Temporal.
 */
export async function startScaleFixture(
  own: Readonly<Record<string, string>> = {},
  { ownStores = false, placed = new Map(), ...parts }: Parts = {},
): Promise<ScaleFixture> {
  const { databaseUrl, temporalAddress, temporalUi, cacheDir } = inject("lookout");
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-scale-"));
  await chmod(dataDir, 0o711);
  for (const [path, target] of placed) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true, mode: 0o711 });
    await symlink(target, join(dataDir, path));
  }
  const name = `scale_${Date.now()}`;
  const database = new URL(databaseUrl);
  database.pathname = name;
  if (!ownStores) await inDatabase((all) => all.query(`CREATE DATABASE ${name}`));
  const given = {
    ...(ownStores
      ? { TEMPORAL: "server" }
      : { DATABASE_URL: database.href, TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_UI: temporalUi }),
    CACHE_DIR: cacheDir,
    DATA_DIR: dataDir,
    LOG_LEVEL: "info",
    JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1",
    RATE_LIMIT_QUERY: "0",
    ...own,
  };
  const config = readConfig({ ...process.env, ...given });
  const log = (line: string) => console.log(`[scale] ${line}`);
  const { signal } = new AbortController();
  const stack = await startScaleStack({
    config,
    log,
    signal,
    preferUsualPorts: false,
    shards: 1,
    replicas: 2,
    apis: 2,
    workers: 0,
    ...parts,
  });
  const [first] = stack.apis;
  if (first === undefined) throw new Error("no API runs");
  return {
    stack,
    owner: await ownerOf(first),
    dataDir,
    remove: async () => {
      await stack.stop();
      if (!ownStores) await inDatabase((all) => all.query(`DROP DATABASE ${name} WITH (FORCE)`));
      if (process.env["KEEP_SCALE_DATA"] === undefined)
        await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
