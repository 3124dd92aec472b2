import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../src/config.ts";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { at, latencies, round } from "../../test/kit/load/figures.ts";
import { type LoadResult, runLoad } from "../../test/kit/load/load.ts";
import { pageView } from "../../test/kit/load/pageView.ts";
import { usageOfAll } from "../../test/kit/load/processUsage.ts";

export type Shape = { readonly name: string; readonly batchEvents: number; readonly connections: number };

export type Load = {
  readonly seconds: number;
  /** Before it is measured: Java and V8 compile what is used. */
  readonly warmUpSeconds: number;
  /** Events a second, all API processes together; as many as are answered unless given. */
  readonly eventsPerSecond?: number | undefined;
};

export type Installation = {
  /** Of each API process. */
  readonly urls: readonly string[];
  /** Each on a shard of its own. */
  readonly websiteIds: readonly string[];
  /** All QuestDBs. */
  readonly stores: readonly Config["questdb"][];
  /** How many of them get an event. */
  readonly replicas: number;
  /** Process ids of each component. */
  readonly processes: Readonly<Record<string, readonly number[]>>;
};

export type Measured = {
  readonly eventsPerSecond: number;
  readonly errors: number;
  readonly acknowledgementMs: ReturnType<typeof latencies>;
  /** While events were sent: how long each store was behind what was acknowledged, looked at twice a second. */
  readonly lagMs: { readonly p50: number; readonly max: number };
  /** How long after the last acknowledgement all stores had all events. */
  readonly caughtUpMs: number;
  /** Rows of all stores, after the warm-up and all that was acknowledged. */
  readonly stored: number;
  readonly expected: number;
  /** By component, until all events are stored. */
  readonly cpuUsPerEvent: Readonly<Record<string, number>>;
};

/** Sends events for some seconds, waits until all stores have them, and says what that cost. */
export async function measureIngest(installation: Installation, shape: Shape, load: Load): Promise<Measured> {
  const readers = installation.stores.map((settings) => new QuestdbReader(settings));
  const storedRows = async () => {
    const counts = await Promise.all(readers.map((reader) => reader.read("SELECT count() AS n FROM events", [])));
    return counts.reduce((sum, [row]) => sum + Number(row?.["n"]), 0);
  };
  try {
    await send(installation, shape, { ...load, seconds: load.warmUpSeconds }, []);
    const warm = await settled(storedRows);
    const before = cpuOf(installation);
    const acknowledged: Acknowledged[] = [];
    const watch = watchLag(storedRows, installation.replicas, warm, acknowledged);
    const results = await send(installation, shape, load, acknowledged);
    const sinceMs = performance.now();
    const answers = results.reduce((sum, result) => sum + result.answers, 0);
    const events = answers * shape.batchEvents;
    const lagsMs = await watch.stop();
    const rows = await reached(storedRows, warm + events * installation.replicas);
    const caughtUpMs = Math.round(performance.now() - sinceMs);
    const after = cpuOf(installation);
    const perEvent = Object.entries(after).map(([name, cpu]) => [
      name,
      round(((cpu - (before[name] ?? 0)) / events) * 1e6, 1),
    ]);
    return {
      eventsPerSecond: Math.round(
        results.reduce((sum, each) => sum + each.answers / each.seconds, 0) * shape.batchEvents,
      ),
      errors: results.reduce((sum, { errors }) => sum + errors, 0),
      acknowledgementMs: latencies({ latenciesMs: results.flatMap(({ latenciesMs }) => latenciesMs) }),
      lagMs: { p50: Math.round(at(lagsMs, 0.5)), max: Math.round(at(lagsMs, 1)) },
      caughtUpMs,
      stored: rows,
      expected: warm + events * installation.replicas,
      cpuUsPerEvent: Object.fromEntries(perEvent),
    };
  } finally {
    await Promise.all(readers.map((reader) => reader.close()));
  }
}

/** performance.now(), and how many events had been acknowledged then. */
type Acknowledged = { readonly atMs: number; readonly events: number };

/** Sends to all API processes at once, and notes in `acknowledged` how many events have been answered. */
async function send(
  { urls, websiteIds }: Installation,
  { batchEvents, connections }: Shape,
  { seconds, eventsPerSecond }: Load,
  acknowledged: Acknowledged[],
): Promise<LoadResult[]> {
  let sent = 0;
  let events = 0;
  const next = () => {
    const made = Array.from({ length: batchEvents }, () => {
      sent += 1;
      return pageView({ eventId: randomUUID(), timestamp: Date.now(), visitor: sent % 997 });
    });
    return { body: JSON.stringify(batchEvents === 1 ? made[0]?.payload : made) };
  };
  const accepts = (text: string) => {
    if (text.includes('"status":"error"')) return false;
    events += batchEvents;
    acknowledged.push({ atMs: performance.now(), events });
    return true;
  };
  const targets = urls.flatMap((base) =>
    websiteIds.map((websiteId) => `${base}${batchEvents === 1 ? "/" : "/batch"}?website_id=${websiteId}`),
  );
  const share = 1 / targets.length;
  return await Promise.all(
    targets.map((url) =>
      runLoad({
        url,
        connections: Math.ceil(connections * share),
        seconds,
        next,
        accepts,
        ...(eventsPerSecond === undefined ? {} : { rate: (eventsPerSecond / batchEvents) * share }),
      }),
    ),
  );
}

/** How long ago as many events had been acknowledged as the stores have now, again and again. */
function watchLag(
  storedRows: () => Promise<number>,
  replicas: number,
  warm: number,
  acknowledged: readonly Acknowledged[],
) {
  const stopping = new AbortController();
  const lagsMs: number[] = [];
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await pause(500, undefined, { signal: stopping.signal }).catch(() => undefined);
      const nowMs = performance.now();
      const events = ((await storedRows()) - warm) / replicas;
      const firstMissing = acknowledged.find((each) => each.events > events);
      lagsMs.push(firstMissing === undefined ? 0 : Math.max(0, nowMs - firstMissing.atMs));
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      return lagsMs.sort((a, b) => a - b);
    },
  };
}

/** The rows once their number does not change any more. */
async function settled(storedRows: () => Promise<number>): Promise<number> {
  for (let before = -1; ; await pause(1_500)) {
    const rows = await storedRows();
    if (rows === before) return rows;
    before = rows;
  }
}

/** The rows once there are as many as expected, or after two minutes. */
async function reached(storedRows: () => Promise<number>, expected: number): Promise<number> {
  for (const sinceMs = performance.now(); ; await pause(50)) {
    const rows = await storedRows();
    if (rows >= expected || performance.now() - sinceMs > 120_000) return rows;
  }
}

/** CPU seconds of each component so far, with what its processes have started. */
function cpuOf({ processes }: Installation): Record<string, number> {
  return Object.fromEntries(Object.entries(processes).map(([name, pids]) => [name, usageOfAll(pids).cpuSeconds]));
}
