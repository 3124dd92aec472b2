import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Env } from "../../../src/config.ts";
import type { PartName } from "../../../stack/stack.ts";
import { withBenchApi } from "./benchApi.ts";
import { type Owner, ownerOf, postJson } from "./owner.ts";
import { type RunningStack, startUptimeStack } from "./uptimeStack.ts";
import type { Values } from "./values.ts";

/** A running stack with a website that only this user of it has. */
export type BenchStack = RunningStack & {
  readonly owner: Owner;
  /** DATA_DIR of the API process that the owner calls. */
  readonly apiDataDir: string;
  /** From where QuestDB reads Parquet files. */
  readonly filesFolder: string;
};

export type StackNeeds = {
  readonly env?: Env;
  /** Of the configuration of its API and worker, beside the settings. */
  readonly values?: Values;
  /** Default: all of them. */
  readonly parts?: readonly PartName[];
  /** Run in place of `src/main/api.ts`. */
  readonly api?: string | undefined;
};

/** Where benches get their stacks from. */
export type Stacks = {
  use<T>(needs: StackNeeds, work: (bench: BenchStack) => Promise<T>): Promise<T>;
};

/** QuestDB, PostgreSQL and one API process. */
export const withoutTemporal: readonly PartName[] = ["questdb", "postgres", "api"];

/** Each use gets a stack of its own, whose data are removed afterwards. */
export const ownStacks: Stacks = {
  async use({ env, values, parts, api }, work) {
    const filesFolder = await mkdtemp(join(tmpdir(), "lookout-files-"));
    try {
      const given = { QDB_CAIRO_SQL_COPY_ROOT: filesFolder, ...env };
      const { stop, ...uptime } = await startUptimeStack({
        env: given,
        api,
        ...(values === undefined ? {} : { values }),
        log: (line) => console.error(line),
        ...(parts === undefined ? {} : { parts }),
      });
      try {
        const owner = await ownerOf(uptime.config);
        return await work({ ...uptime, owner, filesFolder, apiDataDir: uptime.config.stack.dataDir });
      } finally {
        await stop();
      }
    } finally {
      await rm(filesFolder, { recursive: true, force: true });
    }
  },
};

/** Each use gets this stack with a new website. One that needs another environment or other values gets a stack of its own, one that needs another API process has it beside the first. */
export function sharedStack(shared: BenchStack, env: Env): Stacks {
  return {
    async use(needs, work) {
      const differs = Object.entries(needs.env ?? {}).some(([name, value]) => env[name] !== value);
      if (differs || needs.values !== undefined) return await ownStacks.use(needs, work);
      const website = { name: "Bench", domain: "bench.example" };
      const { id: websiteId } = await postJson<{ id: string }>(shared.owner, "/websites/create", website);
      const owner = { ...shared.owner, websiteId };
      if (needs.api === undefined) return await work({ ...shared, owner });
      return await withBenchApi(shared.stack, { script: needs.api }, ({ baseUrl, dataDir }) =>
        work({ ...shared, owner: { ...owner, baseUrl }, apiDataDir: dataDir }),
      );
    },
  };
}
