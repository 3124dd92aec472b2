import { Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { services } from "../../src/gen/lookout/services.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { VisibilityDelay } from "../../src/store/write/visibilityDelay.ts";
import { addCertificateMetrics } from "../../src/uptime/figures/certificateMetrics.ts";
import { addWorkerMetrics } from "../../workflows/workerMetrics.ts";
import { oneNode } from "../kit/stores/oneNode.ts";

/** The served lines of metrics whose names begin so. */
async function served(registry: Registry, prefix: string): Promise<string[]> {
  return (await registry.metrics()).split("\n").filter((line) => line.startsWith(prefix));
}

test("8: calls make a series for each RPC and status, and a histogram for each service and protocol", async () => {
  const { registry, calls } = createMetrics();
  const rpcs = services.flatMap((service) => service.methods.map(({ name }) => `${service.typeName}.${name}`));
  const protocols = ["json", "grpc", "grpc-web", "connect", "mcp"];
  for (const rpc of rpcs) calls.record(rpc, "json", 200, 3);
  expect(await served(registry, "lookout_requests_total")).toHaveLength(rpcs.length);
  expect(await served(registry, "lookout_request_seconds")).toHaveLength(services.length * 9);
  for (const rpc of rpcs)
    for (const protocol of protocols) for (const status of [200, 400, 401]) calls.record(rpc, protocol, status, 3);
  expect(await served(registry, "lookout_requests_total")).toHaveLength(rpcs.length * 3);
  expect(await served(registry, "lookout_request_seconds")).toHaveLength(services.length * protocols.length * 9);
});

test("8: a call is counted in its buckets", async () => {
  const { registry, calls } = createMetrics();
  calls.record("lookout.v1.QueryService.Query", "grpc", 200, 25);
  calls.record("lookout.v1.QueryService.CompileQuery", "grpc", 400, 11_000);
  expect(await served(registry, "lookout_request")).toEqual([
    'lookout_requests_total{rpc="lookout.v1.QueryService.Query",status="200"} 1',
    'lookout_requests_total{rpc="lookout.v1.QueryService.CompileQuery",status="400"} 1',
    ...[
      ["0.005", 0],
      ["0.025", 1],
      ["0.1", 1],
      ["0.5", 1],
      ["2", 1],
      ["10", 1],
      ["+Inf", 2],
    ].map(
      ([le, count]) =>
        `lookout_request_seconds_bucket{service="lookout.v1.QueryService",protocol="grpc",le="${le}"} ${count}`,
    ),
    'lookout_request_seconds_sum{service="lookout.v1.QueryService",protocol="grpc"} 11.025',
    'lookout_request_seconds_count{service="lookout.v1.QueryService",protocol="grpc"} 2',
  ]);
});

test("8: hits and misses of each cache are counted from the start", async () => {
  const { registry, caches } = createMetrics();
  caches.keys.hits = 3;
  caches.links.misses = 1;
  expect(await served(registry, "lookout_cache")).toEqual([
    'lookout_cache_hits_total{cache="websites"} 0',
    'lookout_cache_hits_total{cache="keys"} 3',
    'lookout_cache_hits_total{cache="sessions"} 0',
    'lookout_cache_hits_total{cache="links"} 0',
    'lookout_cache_misses_total{cache="websites"} 0',
    'lookout_cache_misses_total{cache="keys"} 0',
    'lookout_cache_misses_total{cache="sessions"} 0',
    'lookout_cache_misses_total{cache="links"} 1',
  ]);
});

const inDays = (days: number) => ({ ssl_expiry_ms: Date.now() + days * 86_400_000 });

test("8: certificates of active monitors are counted by the days they have left, and read rarely", async () => {
  const registry = new Registry();
  const query = vi.fn(async () => ({ rows: ["a", "b", "c"].map((id) => ({ id })) }));
  const read = async () => [
    { monitor_id: "a", ...inDays(-2) },
    { monitor_id: "b", ...inDays(10) },
    { monitor_id: "c", ...inDays(90) },
    { monitor_id: "paused", ...inDays(1) },
  ];
  addCertificateMetrics(registry, { postgres: { query }, questdb: oneNode({ read }) } as never);
  const [least = ""] = await served(registry, "lookout_certificate_days");
  expect(Number(least.split(" ")[1])).toBeCloseTo(-2, 3);
  expect(await served(registry, "lookout_certificates")).toEqual([
    'lookout_certificates_expiring{within_days="7"} 1',
    'lookout_certificates_expiring{within_days="14"} 2',
    'lookout_certificates_expiring{within_days="30"} 2',
  ]);
  expect(query).toHaveBeenCalledTimes(1);
});

test("8: figures about certificates are absent while a store is unavailable, and read again then", async () => {
  const registry = new Registry();
  const read = vi.fn(async () => [{ monitor_id: "a", ...inDays(10) }]);
  read.mockRejectedValueOnce(new Error("down"));
  const postgres = { query: async () => ({ rows: [{ id: "a" }] }) };
  addCertificateMetrics(registry, { postgres, questdb: oneNode({ read }) } as never);
  expect(await served(registry, "lookout_")).toEqual([]);
  expect(await served(registry, "lookout_")).toHaveLength(4);
});

test("8: a worker's tasks, slots and pollers are those of all workers of the process", async () => {
  const registry = new Registry();
  const suppliers = (numSlots: number) => ({ type: "fixed-size", numSlots });
  const worker = (activityPollerState: string, taskQueue = "lookout") => ({
    options: {
      taskQueue,
      tuner: {
        workflowTaskSlotSupplier: suppliers(40),
        activityTaskSlotSupplier: suppliers(100),
        localActivityTaskSlotSupplier: suppliers(30),
      },
    },
    getStatus: () => ({
      numInFlightWorkflowActivations: 1,
      numInFlightNonLocalActivities: 2,
      numInFlightLocalActivities: 3,
      numCachedWorkflows: 5,
      workflowPollerState: "POLLING",
      activityPollerState,
    }),
  });
  addWorkerMetrics(registry, [worker("POLLING"), worker("FAILED"), worker("POLLING", "watches")] as never, "watches");
  expect(await served(registry, "lookout_")).toEqual([
    'lookout_temporal_tasks_running{kind="workflow"} 2',
    'lookout_temporal_tasks_running{kind="activity"} 4',
    'lookout_temporal_tasks_running{kind="local_activity"} 6',
    'lookout_temporal_tasks_running{kind="watch"} 2',
    'lookout_temporal_task_slots{kind="workflow"} 80',
    'lookout_temporal_task_slots{kind="activity"} 200',
    'lookout_temporal_task_slots{kind="local_activity"} 60',
    'lookout_temporal_task_slots{kind="watch"} 100',
    "lookout_temporal_pollers_failed 1",
    "lookout_temporal_cached_workflows 15",
    "lookout_temporal_warnings_total 0",
  ]);
});

test("8: the delay until queries see a row is measured until QuestDB has applied its commit", async () => {
  const { registry, visibleSeconds } = createMetrics();
  const states = [
    { sequencerTxn: 7, writerTxn: 6 },
    { sequencerTxn: 8, writerTxn: 6 },
    { sequencerTxn: 8, writerTxn: 7 },
  ];
  const read = vi.fn(async () => [{ name: "events", suspended: false, ...(states.shift() ?? {}) }]);
  const delay = new VisibilityDelay(oneNode({ read } as never), { visibleSeconds });
  const row = { table: "events", tsUs: 0, values: {} } as const;
  delay.afterCommit([], Date.now());
  delay.afterCommit([row], Date.now() - 3_000);
  // One at a time.
  delay.afterCommit([row], Date.now() - 30_000);
  await expect
    .poll(() => served(registry, "lookout_visible_seconds_count"))
    .toEqual(["lookout_visible_seconds_count 1"]);
  expect(read).toHaveBeenCalledTimes(3);
  expect(await served(registry, 'lookout_visible_seconds_bucket{le="2"}')).toEqual([
    'lookout_visible_seconds_bucket{le="2"} 0',
  ]);
  delay.close();
});
