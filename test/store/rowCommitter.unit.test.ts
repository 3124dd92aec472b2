import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { encodeRows } from "../../src/store/questdb/rowEncoder.ts";
import type { RowOf } from "../../src/store/questdb/tables.ts";
import { RowCommitter } from "../../src/store/write/rowCommitter.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const row = (path: string): RowOf<"events"> => ({
  table: "events",
  tsUs: Date.UTC(2026, 0, 15) * 1_000,
  values: { website_id: "w", event_key: 1, event_type: "custom", name: "signup", path },
});

/** A QuestDB that refuses writes with `refused` in them; its address. */
async function questdb(refused: RegExp): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    response.writeHead(refused.test(body) ? 400 : 204).end();
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The result of two rows on two replicas, each of which refuses some writes. */
async function committed(...refused: [RegExp, RegExp]) {
  const https = await Promise.all(refused.map(questdb));
  const targets = { split: async <Row>(rows: readonly Row[]) => [{ https, rows }] };
  const log = pino({ level: "silent" });
  const { questdb: settings } = readConfig({});
  const committer = new RowCommitter<RowOf<"events">>(settings, createMetrics(), log, { targets }, encodeRows);
  return await committer.commit([row("/good"), row("/bad")], [0, 0]);
}

const never = /$^/;

test("8: a row that all replicas refuse becomes a dead letter, and the others are stored", async () => {
  expect(await committed(/bad/, /bad/)).toEqual({
    outcome: "committed",
    refused: [{ row: row("/bad"), reason: "HTTP 400" }],
  });
});

test.each([
  ["the first", /bad/, never],
  ["the second", never, /bad/],
  ["the second, which refuses all,", never, /./],
])("8: while %s of two replicas alone refuses rows, they wait", async (_name, first, second) => {
  expect(await committed(first, second)).toEqual({ outcome: "unavailable" });
});
