import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { pino } from "pino";
import { expect, inject, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { encodeRows } from "../../src/store/questdb/rowEncoder.ts";
import type { RowOf } from "../../src/store/questdb/tables.ts";
import { RowWriter } from "../../src/store/write/rowWriter.ts";
import type { Values } from "../kit/stack/values.ts";
import { storedRows } from "../kit/stores/storedRows.ts";

function createWriter(questdbHttp = inject("lookout").questdbHttp, values: Values["questdb"] = {}) {
  const { questdb } = readConfig({ QUESTDB_HTTP: questdbHttp });
  const metrics = createMetrics();
  return { metrics, writer: new RowWriter({ ...questdb, ...values }, metrics, pino({ level: "silent" })) };
}

const startUs = Date.UTC(2026, 0, 15) * 1_000;

function eventRow(
  websiteId: string,
  eventKey: number,
  values: Partial<RowOf<"events">["values"]> = {},
): RowOf<"events"> {
  return {
    table: "events",
    tsUs: startUs + eventKey,
    values: { website_id: websiteId, event_key: eventKey, event_type: "custom", name: "signup", ...values },
  };
}

const impatient = { commitTimeoutMs: 200 };
const unavailable = { problem: { kind: "not_answering" } };

test("8: other work runs while many rows are encoded", async () => {
  let turns = 0;
  let isEncoded = false;
  const countTurns = () => {
    turns += 1;
    if (!isEncoded) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const rows = Array.from({ length: 20_000 }, (_, key) => eventRow("w", key, { title: "t".repeat(500) }));
  await encodeRows(rows);
  isEncoded = true;
  expect(turns).toBeGreaterThan(3);
});

test("8: a repeated row is stored once", async () => {
  const { writer } = createWriter();
  const websiteId = randomUUID();
  await writer.write([eventRow(websiteId, 1)]);
  await writer.write([eventRow(websiteId, 1), eventRow(websiteId, 2)]);
  await storedRows("events", websiteId, 2);
  await writer.close();
});

test("8: every table accepts its rows in one write", async () => {
  const { writer } = createWriter();
  const websiteId = randomUUID();
  const key = { website_id: websiteId, event_key: 1 };
  await writer.write([
    { table: "events", tsUs: startUs, values: { ...key, event_type: "page_view", referrer_source: "", rtt_ms: 1.5 } },
    { table: "outgoing_links", tsUs: startUs, values: { ...key, href: "https://other.example/a?b=1" } },
    { table: "performance_metrics", tsUs: startUs, values: { ...key, metric_type: "TTFB", value: 90.25 } },
  ]);
  const stored = [
    ...(await storedRows("events", websiteId, 1)),
    ...(await storedRows("outgoing_links", websiteId, 1)),
    ...(await storedRows("performance_metrics", websiteId, 1)),
  ];
  expect(stored).toMatchObject([
    { ts: startUs / 1_000, referrer_source: null, referrer: null, rtt_ms: 1.5 },
    { ts: startUs / 1_000, href: "https://other.example/a?b=1", visitor_key: null },
    { ts: startUs / 1_000, metric_type: "TTFB", value: 90.25 },
  ]);
  await writer.close();
});

test("8: text and numbers that the store cannot hold do not stop other rows", async () => {
  const { writer } = createWriter();
  const websiteId = randomUUID();
  await writer.write([
    eventRow(websiteId, 1, {
      name: 'a\nb\r"c" \\ d,e=f 🙂',
      title: "\ud83d lone",
      path: "/nul\0l",
      browser: "x\0 y,=z\n",
    }),
    eventRow(websiteId, 2, { rtt_ms: Number.NaN, downlink_mbps: 1e300, page_count: 3e9, visitor_key: 1.5, os: "" }),
  ]);
  expect(await storedRows("events", websiteId, 2)).toMatchObject([
    { name: 'a\nb\r"c" \\ d,e=f 🙂', title: "\ufffd lone", path: "/null", browser: "x y,=z\n" },
    { rtt_ms: null, downlink_mbps: null, page_count: null, visitor_key: null, os: null },
  ]);
  await writer.close();
});

test("7.6: rows that QuestDB refuses are named, the others are stored", async () => {
  const { writer } = createWriter();
  const websiteId = randomUUID();
  const beforeTime = { ...eventRow(websiteId, 40), tsUs: -1 };
  const withoutTime = { ...eventRow(websiteId, 41), tsUs: Number.NaN };
  const good = Array.from({ length: 30 }, (_, key) => eventRow(websiteId, key));
  const mixed = writer.write([...good.slice(0, 10), beforeTime, withoutTime, ...good.slice(10, 20)]);
  const neighbour = writer.write(good.slice(20));
  await expect(mixed).rejects.toMatchObject({ name: "RowsRefusedError", refused: new Set([beforeTime, withoutTime]) });
  await neighbour;
  await storedRows("events", websiteId, 30);
  await writer.close();
});

test("7: a store that cannot be reached is answered SERVICE_UNAVAILABLE, and close does not wait for it", async () => {
  const { writer, metrics } = createWriter(`http://127.0.0.1:${await unusedPort()}`, impatient);
  await expect(writer.write([eventRow("w", 1)])).rejects.toMatchObject(unavailable);
  expect((await metrics.commitFailures.get()).values[0]?.value).toBeGreaterThan(0);
  await writer.close();
  await expect(writer.write([eventRow("w", 1)])).rejects.toMatchObject({ problem: { kind: "stopping" } });
});

test("7: a store that accepts requests but never answers is answered SERVICE_UNAVAILABLE", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { writer } = createWriter(`http://127.0.0.1:${portOf(server)}`, impatient);
  const writes = [writer.write([eventRow("w", 1)]), writer.write([eventRow("w", 2)])];
  for (const write of writes) await expect(write).rejects.toMatchObject(unavailable);
  await writer.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test("8: close stores accepted rows", async () => {
  const { writer } = createWriter();
  const websiteId = randomUUID();
  const writes = Array.from({ length: 5 }, (_, request) =>
    writer.write(Array.from({ length: 500 }, (_, row) => eventRow(websiteId, request * 500 + row))),
  );
  await writer.close();
  await Promise.all(writes);
  await storedRows("events", websiteId, 2_500);
});

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server does not listen on a port");
  return address.port;
}
