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

test("8: a row that QuestDB refuses becomes a dead letter, and the others are stored", async () => {
  const log = pino({ level: "silent" });
  const settings = { ...readConfig({}).questdb, http: await questdb(/bad/) };
  const committer = new RowCommitter<RowOf<"events">>(settings, createMetrics(), log, {}, encodeRows);
  expect(await committer.commit([row("/good"), row("/bad")], [0, 0])).toEqual({
    outcome: "committed",
    refused: [{ row: row("/bad"), reason: "HTTP 400" }],
  });
});
