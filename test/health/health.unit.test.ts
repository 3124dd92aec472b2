import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Health } from "../../src/health/health.ts";
import type { HealthSource } from "../../src/health/source.ts";
import type { Condition } from "../../src/health/states.ts";
import { NotReadyError, storeSource } from "../../src/health/storeSource.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const diskLow: Condition = { state: "disk_low", of: "data", message: "900 MiB are free" };

/** A process with one source, which the test controls, and its log lines. */
function start(everyMs = 0) {
  let conditions: readonly Condition[] | Error = [];
  let reads = 0;
  const source: HealthSource = {
    everyMs,
    read: async () => {
      reads += 1;
      if (conditions instanceof Error) throw conditions;
      return conditions;
    },
  };
  const lines: unknown[] = [];
  const line = (fields: object, text = "") => void lines.push({ ...fields, text });
  const registry = new Registry();
  const health = new Health("api", [source], { log: { info: line, warn: line }, metrics: { registry } });
  return {
    health,
    lines,
    registry,
    reads: () => reads,
    set: (now: readonly Condition[] | Error) => {
      conditions = now;
    },
    answer: async () => {
      const { status, body } = await health.readyz();
      return { status, body: JSON.parse(String(body)) };
    },
  };
}

test("8: a state is answered with its message, since when it lasts and its runbook, and served as a metric", async () => {
  const { answer, set, registry } = start();
  expect(await answer()).toEqual({ status: 200, body: { status: "ok", states: [] } });
  set([diskLow]);
  const since = new Date().toISOString();
  const runbook = "docs/operate/troubles.md#a-full-disk";
  const body = { status: "degraded", states: [{ ...diskLow, since, runbook }] };
  expect(await answer()).toEqual({ status: 200, body });
  expect(await registry.metrics()).toContain(
    'lookout_degraded{state="disk_low",severity="warning",section="a-full-disk"} 1',
  );
  expect(await registry.metrics()).toContain(
    'lookout_degraded{state="clock_skew",severity="warning",section="clocks-that-differ"} 0',
  );
  vi.advanceTimersByTime(60_000);
  expect(await answer()).toEqual({ status: 200, body });
});

test("8: a state is logged once when it begins and once when it has ended, however often it is asked for", async () => {
  const { answer, set, lines } = start();
  for (const now of [[diskLow], [], [diskLow], [diskLow]]) {
    set(now);
    await answer();
    await answer();
    vi.advanceTimersByTime(6_000);
  }
  const begun = { state: "disk_low", of: "data", runbook: expect.any(String), text: "degraded: 900 MiB are free" };
  expect(lines).toEqual([begun]);
  set([]);
  await answer();
  vi.advanceTimersByTime(6_000);
  await answer();
  expect(lines).toEqual([
    begun,
    { state: "disk_low", of: "data", lastedMs: 18_000, text: "no longer degraded: disk_low" },
  ]);
});

test("8: 503 while the process cannot accept events; whoever listens hears of each change", async () => {
  const { health, answer, set } = start();
  const heard: string[] = [];
  health.onChange(() => heard.push(health.status));
  set([{ state: "log_full", message: "full" }, diskLow]);
  expect(await answer()).toMatchObject({ status: 503, body: { status: "unavailable" } });
  set([]);
  expect(await answer()).toMatchObject({ status: 200 });
  expect(heard).toEqual(["unavailable", "ok"]);
});

test("what cannot be read is as it was when it was last seen", async () => {
  const { answer, set, lines } = start();
  set([diskLow]);
  await answer();
  set(new Error("no answer"));
  vi.advanceTimersByTime(60_000);
  expect(await answer()).toMatchObject({ body: { status: "degraded" } });
  expect(lines).toHaveLength(1);
});

test("answers at the same time share one look, and an answer that is young enough is used again", async () => {
  const { answer, reads } = start(10_000);
  await Promise.all([answer(), answer(), answer()]);
  expect(reads()).toBe(1);
  vi.advanceTimersByTime(9_000);
  await answer();
  expect(reads()).toBe(1);
  vi.advanceTimersByTime(2_000);
  await answer();
  expect(reads()).toBe(2);
});

test("stores are named with what is wrong with each; the reason is logged only", async () => {
  const refused = new Error("connect ECONNREFUSED 10.0.0.5:5432");
  const source = storeSource({
    questdb: () =>
      Promise.reject(new NotReadyError("table_suspended", "suspended: events, clicks", ["events", "clicks"])),
    postgres: () => Promise.reject(refused),
    temporal: async () => undefined,
  });
  expect(await source.read()).toEqual([
    { state: "table_suspended", of: "events", message: "suspended: events, clicks" },
    { state: "table_suspended", of: "clicks", message: "suspended: events, clicks" },
    { state: "postgres_unavailable", message: "PostgreSQL does not answer", cause: refused },
  ]);
  expect(source.shown).toEqual({ questdb: "suspended: events, clicks", postgres: "unavailable", temporal: "ok" });
});
