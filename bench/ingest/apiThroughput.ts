import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { at, latencies, round } from "../../test/kit/load/figures.ts";
import { runLoad } from "../../test/kit/load/load.ts";
import { pageView } from "../../test/kit/load/pageView.ts";
import type { BenchStack } from "../../test/kit/stack/benchStacks.ts";
import { readApiMetrics } from "./apiMetrics.ts";
import { storedRows } from "./storedRows.ts";

export type LoadShape = { readonly batchEvents: number; readonly connections: number; readonly loadTime?: number };

/** The events that one API process accepts for some seconds. */
export async function measureApi({ owner }: BenchStack, shape: LoadShape, seconds: number) {
  const { baseUrl: base, websiteId } = owner;
  const { batchEvents, connections, loadTime } = shape;
  const url = `${base}${batchEvents === 1 ? "/" : "/batch"}?website_id=${websiteId}`;
  let sent = 0;
  const next = () => {
    const events = Array.from({ length: batchEvents }, () => {
      sent += 1;
      return pageView({
        eventId: randomUUID(),
        timestamp: Date.now(),
        visitor: sent % 997,
        ...(loadTime === undefined ? {} : { loadTime }),
      });
    });
    return { body: JSON.stringify(batchEvents === 1 ? events[0]?.payload : events) };
  };
  const options = { url, connections, next, accepts: (text: string) => !text.includes('"status":"error"') };
  const warm = await runLoad({ ...options, seconds: Math.min(5, seconds) });
  const before = await readApiMetrics(base);
  const load = await runLoad({ ...options, seconds });
  const after = await readApiMetrics(base);
  const events = load.answers * batchEvents;
  return {
    eventsPerSecond: Math.round(events / load.seconds),
    requestsPerSecond: Math.round(load.answers / load.seconds),
    errors: warm.errors + load.errors,
    acknowledgementMs: latencies(load),
    apiCpuUsPerEvent: round(((after.cpuSeconds - before.cpuSeconds) / events) * 1e6, 1),
    apiMemoryMb: { before: before.memoryMb, after: after.memoryMb },
    logRowsAtEnd: after.logRows,
    /** Also before the measured seconds. */
    acknowledged: (load.answers + warm.answers) * batchEvents,
  };
}

/** Waits until all acknowledged events are visible, then sends an event at a time to see how long each takes to be found. */
export async function measureVisibility({ owner, questdb }: BenchStack, acknowledged: number, probes: number) {
  const { baseUrl, websiteId } = owner;
  const sinceMs = performance.now();
  const stored = await storedRows(questdb, websiteId, acknowledged);
  const caughtUpMs = Math.round(performance.now() - sinceMs);
  const isFound = async (eventId: string) => {
    const rows = await questdb.read(
      "SELECT event_id FROM events WHERE website_id = $1 AND ts > dateadd('h', -1, now()) AND event_id = $2",
      [websiteId, eventId],
    );
    return rows.length > 0;
  };
  const lagsMs: number[] = [];
  for (let probe = 0; probe < probes; probe += 1) {
    const eventId = randomUUID();
    const { payload } = pageView({ eventId, timestamp: Date.now() });
    await fetch(`${baseUrl}/?website_id=${websiteId}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payload),
    });
    const acknowledgedMs = performance.now();
    while (!(await isFound(eventId)) && performance.now() - acknowledgedMs < 10_000) await pause(2);
    lagsMs.push(performance.now() - acknowledgedMs);
  }
  lagsMs.sort((a, b) => a - b);
  return {
    stored,
    caughtUpMs,
    visibilityLagMs: { p50: round(at(lagsMs, 0.5), 1), max: round(at(lagsMs, 1), 1) },
  };
}
