import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import { Health } from "../../src/health/health.ts";
import { stuckSource } from "../../src/health/stuckSource.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { TableHealth } from "../../src/store/questdb/tableHealth.ts";

/** What QuestDB says of its table of events: the last transaction applied, and the last one committed. */
let applied = 0;
let committed = 0;
const questdb = createServer((_, response) => {
  committed += 1;
  response.end(JSON.stringify({ dataset: [["events", false, applied, committed, "", ""]] }));
});
const stop = new AbortController();
afterEach(() => {
  stop.abort();
  questdb.close();
});

test("8: /readyz names a table to which QuestDB applies nothing more, until it does again", async () => {
  questdb.listen(0, "127.0.0.1");
  await once(questdb, "listening");
  const { port } = questdb.address() as AddressInfo;
  const metrics = createMetrics();
  const log = pino({ enabled: false });
  const settings = { http: `http://127.0.0.1:${port}`, queryTimeoutMs: 60_000, root: undefined, stuckAfterMs: 2_000 };
  const tables = new TableHealth(settings, metrics, log);
  void tables.watch(stop.signal);
  const health = new Health("api", [stuckSource(tables)], { log, metrics });
  const answer = async (): Promise<unknown> => JSON.parse(String((await health.readyz()).body));
  await expect.poll(answer).toMatchObject({
    status: "degraded",
    states: [{ state: "table_stuck", of: "events", runbook: "docs/operate/troubles.md#a-table-that-stands-still" }],
  });
  expect(await metrics.registry.metrics()).toContain(
    'lookout_degraded{state="table_stuck",severity="critical",section="a-table-that-stands-still"} 1',
  );
  applied = 1_000_000;
  await expect.poll(answer).toMatchObject({ status: "ok", states: [] });
});
