import { randomUUID } from "node:crypto";
import { lineOf } from "../../src/store/questdb/lineProtocol.ts";
import { latencies } from "../../test/kit/load/figures.ts";
import { runLoad } from "../../test/kit/load/load.ts";
import { pageView } from "../../test/kit/load/pageView.ts";
import type { BenchStack } from "../../test/kit/stack/benchStacks.ts";
import { storedRows } from "./storedRows.ts";

/** QuestDB alone, fed with prepared bodies of 1,000 rows. */
export async function measureReadyMadeRows(bench: BenchStack, seconds: number, preparedBodies: number) {
  const { websiteId } = bench.owner;
  const address = new URL(bench.config.questdb.http);
  const headers = {
    authorization: `Basic ${btoa(`${address.username}:${address.password}`)}`,
    "content-type": "text/plain",
  };
  const startUs = Date.now() * 1_000;
  const bodies = Array.from({ length: preparedBodies }, (_, body) =>
    Array.from({ length: 1_000 }, (_, row) => exampleLine(websiteId, startUs, body * 1_000 + row)).join(""),
  );
  let sent = 0;
  // A second body with the same rows would be deduplicated, which costs something else.
  const next = () => {
    const round = 1 + Math.floor(sent / bodies.length);
    return { headers, body: (bodies[sent++ % bodies.length] ?? "").replaceAll("key=1", `key=${round}`) };
  };
  const url = `${address.origin}/write?precision=n`;
  const load = await runLoad({ url, connections: 1, next, seconds, status: 204 });
  const sentRows = load.answers * 1_000;
  const stored = await storedRows(bench.questdb, websiteId, sentRows);
  return {
    rowsPerSecond: Math.round(sentRows / load.seconds),
    errors: load.errors,
    acknowledgementMs: latencies(load),
    sent: sentRows,
    stored,
  };
}

function exampleLine(websiteId: string, startUs: number, row: number): string {
  const { payload } = pageView({ timestamp: 0 });
  const line = lineOf({
    table: "events",
    tsUs: startUs + row * 1_000,
    values: {
      website_id: websiteId,
      event_key: 1_000_000_000 + row,
      event_type: "page_view",
      name: payload.name,
      visitor_key: row % 997,
      session_key: row % 997,
      event_id: randomUUID(),
      anonymous_id: payload.anonymousId,
      session_id: payload.sessionId,
      path: payload.path,
      title: payload.title,
      referrer: payload.referrer,
      referrer_source: "google.com",
      screen: payload.screen_resolution,
      viewport: payload.viewport_size,
      language: payload.language,
      timezone: payload.timezone,
      browser: "Chrome",
      os: "Linux",
      device: "desktop",
      connection: payload.connection_type,
      rtt_ms: payload.rtt,
      downlink_mbps: payload.downlink,
      utm_source: payload.utm_source,
      utm_medium: payload.utm_medium,
      utm_campaign: payload.utm_campaign,
      time_on_page_ms: payload.time_on_page,
      scroll_depth_percent: payload.scroll_depth,
      interaction_count: payload.interaction_count,
      page_count: payload.page_count,
    },
  });
  return line ?? "";
}
