/**
 * `node bench/query/largest.ts [--views 400000] [--events 19000]`: how long the largest queries of events delay other requests, as JSON, on a stack of
 * its own. For each query: how long it took, the longest CPU time for which it blocked the API's event loop, and the longest answer time of another
 * website's query that ran meanwhile, as a multiple of its answer time on an idle server.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { largeQueries } from "../../test/kit/largest/largeQueries.ts";
import type { ProbeAnswer, ProbeMessage } from "../../test/kit/largest/loopProbe.ts";
import { insertManyEvents } from "../../test/kit/largest/manyEvents.ts";
import { withStack } from "../../test/kit/stack/benchStack.ts";

const { values: options } = parseArgs({
  options: { views: { type: "string", default: "400000" }, events: { type: "string", default: "19000" } },
});

const paths: Readonly<Record<string, string>> = {
  Query: "",
  CompileQuery: "/compile",
  CustomQuery: "/custom",
  AnalyzeFunnel: "/funnel",
  AnalyzeGoals: "/goals",
  AnalyzeJourneys: "/journeys",
};

const measured = await withStack(undefined, async ({ stack, websiteId, apiKey }) => {
  const { questdb, postgres, temporal } = stack.config;
  const otherId = await addWebsite(postgres.url, websiteId);
  await insertManyEvents(questdb, websiteId, Number(options.views), Number(options.events));
  await insertManyEvents(questdb, otherId, 1_000, 100);
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-bench-api-"));
  const api = fork("src/api.ts", {
    env: {
      ...process.env,
      PORT: "0",
      BASE_URL: "",
      LOG_LEVEL: "error",
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      QUESTDB_HTTP: questdb.http,
      QUESTDB_PG: questdb.pg,
      TEMPORAL_ADDRESS: temporal.address,
    },
    execArgv: [...stack.config.stack.apiNodeFlags, "--import", "./test/kit/largest/loopProbe.ts"],
  });
  try {
    const { ready } = await once<{ ready: { port: number } }>(api);
    const ask = async (path: string, id: string, search: string, body: object) => {
      const started = performance.now();
      const response = await fetch(`http://127.0.0.1:${ready.port}${path}?website_id=${id}${search}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": apiKey },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      return { status: response.status, ms: performance.now() - started };
    };
    const askOther = () => ask("/v1/query", otherId, "", { preset: "last_30d", parameters: ["page_views"] });
    const alone: number[] = [];
    for (let round = 0; round < 20; round += 1) alone.push((await askOther()).ms);
    const aloneMs = alone.toSorted((a, b) => a - b)[10] ?? 0;
    const queries = [];
    for (const [rpc, all] of Object.entries(largeQueries))
      for (const { about, body, search = "" } of all) {
        api.send({ loopProbe: "begin" } satisfies ProbeMessage);
        let isOver = false;
        const answered = ask(pathOf(rpc), websiteId, search, body).finally(() => {
          isOver = true;
        });
        let [longestMs, others] = [0, 0];
        while (!isOver) {
          longestMs = Math.max(longestMs, (await askOther()).ms);
          others += 1;
        }
        const { status, ms } = await answered;
        const probed = once<ProbeAnswer>(api);
        api.send({ loopProbe: "end" } satisfies ProbeMessage);
        const blockedMs = (await probed).longestMs;
        const longestWait = Math.round((longestMs / aloneMs) * 10) / 10;
        queries.push({
          rpc,
          about,
          status,
          ms: Math.round(ms),
          blockedMs: Math.round(blockedMs),
          others,
          longestWait,
        });
      }
    const most = Math.max(...queries.map(({ blockedMs }) => blockedMs));
    return { aloneMs: Math.round(aloneMs), mostBlockedMs: most, target: 50, met: most <= 50, queries };
  } finally {
    api.kill("SIGTERM");
    await new Promise((resolve) => api.once("close", resolve));
    await rm(dataDir, { recursive: true, force: true });
  }
});
console.log(JSON.stringify(measured, null, 2));

function pathOf(rpc: string): string {
  return `/v1/query${paths[rpc.slice(rpc.lastIndexOf(".") + 1)] ?? ""}`;
}

function once<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once("message", (message) => resolve(message as T)));
}

/** Another website of the same organization. */
async function addWebsite(databaseUrl: string, beside: string): Promise<string> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const id = randomUUID();
  await database.query(
    `INSERT INTO websites (id, client_id, organization_id, name, domain)
     SELECT $1, $2, organization_id, 'Other', 'example.com' FROM websites WHERE id = $3`,
    [id, randomUUID(), beside],
  );
  await database.end();
  return id;
}
