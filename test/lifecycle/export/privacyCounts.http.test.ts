import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { emailColumns, emailPattern } from "../../../src/privacy/facts.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { correctNow } from "../../kit/calls/erasureCalls.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { readArchive } from "../../kit/stores/readArchive.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { addressOf, ended, start } from "./exportCalls.ts";
import { insertOthers, otherRows, otherTables } from "./otherSource.ts";

vi.setConfig({ testTimeout: 240_000 });

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const dayMs = 86_400_000;

type Count = { name: string; value: number | null; oldest_at?: string };

let questdb: QuestdbReader;
beforeAll(() => {
  questdb = openQuestdb();
});
afterAll(() => questdb?.close());

/** The counts of a website's privacy report by their names. */
async function countsOf(websiteId: string, apiKey: string): Promise<Record<string, Omit<Count, "name">>> {
  const answer = await send("GET", `/v1/websites/${websiteId}/privacy-report`, { apiKey });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { points } = answer.body as { points: { counts: Count[] }[] };
  return Object.fromEntries(points.flatMap(({ counts }) => counts.map(({ name, ...count }) => [name, count])));
}

test("the counts of a privacy report are those of DuckDB over an export of everything", async () => {
  const website = await createWebsite();
  const { websiteId, apiKey } = website;
  const fromMs = noonDaysAgo(20);
  const view = { name: "page_view", path: "/" };
  const byHash = Array.from({ length: 7 }, (_, index) => ({ ...view, ip: `81.2.69.${index + 1}`, userAgent: firefox }));
  const events = [0, 1, 2, 3, 9].flatMap((day) => [
    { ...view, path: `/${day}`, anonymousId: "ada", sessionId: `ada ${day}`, timestamp: fromMs + day * dayMs },
    { name: "signup", properties: { mail: "n@example.org" }, sessionId: `no id ${day}`, timestamp: fromMs },
    {
      type: "outgoing_link",
      href: "https://partner.example/",
      anonymousId: "bob",
      timestamp: fromMs + 2 * day * dayMs,
    },
  ]);
  const sent = await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body: [...byHash, ...events] });
  expect(sent.body).toMatchObject({ status: "success" });
  for (const table of otherTables) await insertOthers(questdb, table, otherRows(table, 9, websiteId, fromMs));
  await storedRows("events", websiteId, 17);
  await correctNow();
  const sessions = async () => (await countsOf(websiteId, apiKey))["rows.sessions"]?.value;
  await expect.poll(sessions, { interval: 200 }).toBeGreaterThan(5);

  const dataTypes = ["events", "sessions", "performance", "errors", "llm_calls", "link_clicks", "uptime"];
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const request = {
    format: "parquet",
    data_types: dataTypes,
    start_date: day(fromMs - 5 * dayMs),
    end_date: day(Date.now()),
  };
  const done = await ended(await start(websiteId, request, { apiKey }), { apiKey });
  expect(done.status, String(done.reason)).toBe("completed");
  const archive = Buffer.from(await (await fetch(addressOf(done))).arrayBuffer());
  const duckdb = await countWithDuckdb(readArchive(archive));

  expect(await countsOf(websiteId, apiKey)).toMatchObject(duckdb);
  expect(duckdb["longest_id_days"]).toEqual({ value: 18 });
  expect(duckdb["emails_in_properties"]).toEqual({ value: 5 });
});

/** The figures of a report, counted in the files of an archive by their definitions. */
async function countWithDuckdb(files: ReadonlyMap<string, Buffer>): Promise<Record<string, object>> {
  const folder = await mkdtemp(join(tmpdir(), "lookout-privacy-"));
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    for (const [name, bytes] of files) {
      if (!name.endsWith(".parquet")) continue;
      await writeFile(join(folder, name), bytes);
      const table = name.replace(".parquet", "");
      await connection.run(`CREATE TABLE ${table} AS SELECT * FROM read_parquet('${join(folder, name)}')`);
    }
    const rowOf = async (sql: string) => {
      const answer = await connection.runAndReadAll(`SELECT to_json(answer)::VARCHAR FROM (${sql}) answer`);
      return JSON.parse(String(answer.getRowsJson()[0]?.[0])) as Record<string, number | null>;
    };
    const found: Record<string, object> = {};
    const put = (values: Record<string, number | null>) => {
      for (const [name, value] of Object.entries(values)) found[name] = { value };
    };
    const kinds = [
      ["events", "events", "event_type != 'custom'", "timestamp"],
      ["custom_events", "events", "event_type = 'custom'", "timestamp"],
      ["outgoing_links", "outgoing_links", "true", "timestamp"],
      ["sessions", "sessions", "true", "start_time"],
      ["errors", "script_errors", "true", "timestamp"],
      ["llm_calls", "llm_calls", "true", "timestamp"],
      ["performance", "performance_metrics", "true", "timestamp"],
      ["link_clicks", "link_clicks", "true", "timestamp"],
      ["uptime", "uptime_checks", "true", "scheduled_at"],
    ];
    for (const [kind, table, condition, time] of kinds) {
      const { n, oldest } = await rowOf(
        `SELECT count(*)::DOUBLE n, epoch_ms(min(${time})) oldest FROM ${table} WHERE ${condition}`,
      );
      found[`rows.${kind}`] = { value: n, ...(oldest == null ? {} : { oldest_at: new Date(oldest).toISOString() }) };
    }
    put(
      await rowOf(`WITH rows AS (
          SELECT coalesce(anonymous_id, session_id) id, timestamp, session_id FROM events UNION ALL
          SELECT coalesce(anonymous_id, session_id), timestamp, session_id FROM outgoing_links UNION ALL
          SELECT coalesce(anonymous_id, session_id), timestamp, session_id FROM script_errors
        ), ids AS (
          SELECT id, epoch_ms(max(timestamp)) - epoch_ms(min(timestamp)) ms,
            count(session_id) > 0 OR NOT regexp_full_match(id, '[A-Za-z0-9_-]{8}') is_sent FROM rows WHERE id IS NOT NULL GROUP BY id)
        SELECT count(*)::DOUBLE ids, count(*) FILTER (is_sent)::DOUBLE ids_sent, max(ms) / ${dayMs} longest_id_days FROM ids`),
    );
    const emails = emailColumns.map(
      (column) => `count(*) FILTER (regexp_matches(${column}, '${emailPattern}'))::DOUBLE emails_in_${column}`,
    );
    const places = ["country", "region", "city"].map((place) => `count(${place})::DOUBLE events_with_${place}`);
    put(await rowOf(`SELECT count(*)::DOUBLE events, ${[...places, ...emails].join(", ")} FROM events`));
    for (const [name, column] of [
      ["path", "path"],
      ["browser", "browser_name"],
    ])
      put(
        await rowOf(`SELECT min(visitors)::DOUBLE "smallest_group.${name}" FROM (
          SELECT count(DISTINCT coalesce(anonymous_id, session_id)) visitors FROM events
          WHERE event_type = 'page_view' AND ${column} IS NOT NULL GROUP BY ${column})`),
      );
    return found;
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}
