import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import pg from "pg";
import { pino } from "pino";
import { renewOldSessions } from "../../src/aggregation/sessionsVersion.ts";
import { correctSessions } from "../../src/aggregation/storedSessions.ts";
import { readTouchedDays, takeTouchedDay, touchHours } from "../../src/aggregation/touchedDayQueue.ts";
import { retry } from "../../src/concurrency/retry.ts";
import { QueryRequestSchema } from "../../src/gen/lookout/v1/query_pb.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { runParameter } from "../../src/query/answer/runParameter.ts";
import { planQueries } from "../../src/query/plan/planQuery.ts";
import { LargeWebsites } from "../../src/query/sql/largeWebsites.ts";
import { visitFinder } from "../../src/query/visits/findVisits.ts";
import { unsettledRangesIn } from "../../src/query/visits/unsettledRanges.ts";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { columnsOfTable } from "../../src/store/questdb/tables.ts";
import { RowWriter } from "../../src/store/write/rowWriter.ts";
import type { Stack } from "../../stack/stack.ts";
import { oneNode } from "../../test/kit/stores/oneNode.ts";
import type { Target } from "./clickhouseSql.ts";
import { websiteIdOf } from "./events.ts";
import { runConcurrently } from "./runConcurrently.ts";

/** A filter of a query, which a field must equal. */
export type Filter = { readonly field: string; readonly op: "eq"; readonly value: string };

/** Lookout with the generated websites. Times are in ms. */
export type Lookout = {
  /** Loads Parquet files that lie in QuestDB's import folder, and waits until their rows can be read. */
  load(table: "events" | "outgoing_links", path: string): Promise<void>;
  /**
   * Makes the stored sessions of these websites, all unless given, as the correction does each minute. The hour that begins at `lastHourMs`
   * (Unix ms) still gets events. Resolves to the number of website-days corrected.
   */
  correct(lastHourMs: number, places?: readonly number[]): Promise<number>;
  /** Through the API. */
  ask(type: string, target: Target, filters?: readonly Filter[]): Promise<{ rows: JsonObject[]; ms: number }>;
  /** A goal by source, through the API. */
  askGoal(event: string, target: Target): Promise<{ rows: JsonObject[]; ms: number }>;
  /** The statements of the same query, to QuestDB itself. */
  read(type: string, target: Target): Promise<number>;
  close(): Promise<void>;
};

/** Website-days that are corrected concurrently. */
const lanes = 6;

/** QuestDB may fall behind so many writers. The correction then fails and is retried a minute later. */
const giveUpAfterMs = 600_000;

export async function openLookout(stack: Stack, websites: number): Promise<Lookout> {
  const { dataDir } = stack.config.stack;
  const { organizationId, apiKey }: { organizationId: string; apiKey: string } = JSON.parse(
    await readFile(join(dataDir, "credentials.json"), "utf8"),
  );
  const database = new pg.Client({ connectionString: stack.config.postgres.url });
  await database.connect();
  // As old as websites with that many events are.
  for (let place = 1; place <= websites; place += 1)
    await database.query(
      `INSERT INTO websites (id, client_id, organization_id, name, domain, created_at)
       VALUES ($1, $2, $3, $4, 'example.com', now() - interval '1 year')`,
      [websiteIdOf(place), randomUUID(), organizationId, `Website ${place}`],
    );
  await database.end();
  const postgres = new pg.Pool({ connectionString: stack.config.postgres.url, max: lanes + 1 });
  // When the stack stops after a failure this would hide it.
  postgres.on("connect", (client) => client.on("error", () => undefined));
  postgres.on("error", () => undefined);
  const reader = new QuestdbReader(stack.config.questdb);
  const log = pino({ level: "warn" }, pino.destination(2));
  // Rows that wait for longer would be refused.
  const patient = { ...stack.config.questdb, commitTimeoutMs: 600_000 };
  const rows = new RowWriter(patient, createMetrics(), log);
  const findUnsettledRanges = unsettledRangesIn({ postgres, config: stack.config, log });
  const largeWebsites = new LargeWebsites(oneNode(reader), { warn: console.warn });
  const post = async <T>(path: string, { place }: Target, body: object): Promise<{ answer: T; ms: number }> => {
    const started = performance.now();
    const response = await fetch(`${stack.config.server.baseUrl}${path}?website_id=${websiteIdOf(place)}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as T;
    return { answer, ms: performance.now() - started };
  };
  const countRows = async (table: string) =>
    Number((await reader.read(`SELECT count() AS n FROM ${table}`, []))[0]?.["n"]);
  return {
    load: async (table, path) => {
      const before = await countRows(table);
      const file = `read_parquet('${basename(path)}')`;
      const described = await reader.read(`SELECT * FROM ${file} LIMIT 1`, []);
      const columns = Object.keys(described[0] ?? {})
        .filter((name) => name in columnsOfTable[table])
        .join(", ");
      const [wanted] = await reader.read(`SELECT count() AS n FROM ${file}`, []);
      await runLong(stack, `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${file}`);
      while ((await countRows(table)) < before + Number(wanted?.["n"])) await pause(200);
    },
    correct: async (lastHourMs, places) => {
      // As after an update of the service, so that every website-day is dirty.
      await postgres.query("UPDATE sessions_version SET version = 0");
      await renewOldSessions({ questdb: oneNode(reader), postgres });
      let made = 0;
      const { signal } = new AbortController();
      const ids = places?.map(websiteIdOf);
      const noted = await readTouchedDays(postgres, 0, 1_000_000);
      const waiting = noted.filter(({ websiteId }) => ids?.includes(websiteId) ?? true);
      // Days corrected together are committed together, to few partitions.
      waiting.sort((a, b) => a.day.localeCompare(b.day));
      await runConcurrently(waiting, lanes, async (touched) => {
        const work = async () =>
          void (await correctSessions({ questdb: reader, rows }, touched.websiteId, touched.day, signal));
        const take = () => takeTouchedDay(postgres, touched, 0, work);
        const onRetry = (error: unknown) => console.error(String(error));
        if (await retry(take, { minWaitMs: 1_000, maxWaitMs: 10_000, giveUpAfterMs, onRetry, stop: signal })) made += 1;
      });
      const withLastHour = ids ?? [...new Set(noted.map(({ websiteId }) => websiteId))];
      await touchHours(
        postgres,
        withLastHour.map((websiteId) => ({ websiteId, hourMs: lastHourMs })),
      );
      return made;
    },
    ask: async (type, target, filters = []) => {
      const { answer, ms } = await post<QueryAnswer>("/v1/query", target, { ...queryOf(type, target), filters });
      const [result] = answer.data ?? [];
      if (result?.success !== true) throw new Error(`${type}: ${result?.error ?? JSON.stringify(answer)}`);
      return { rows: result.data, ms };
    },
    askGoal: async (event, target) => {
      const body = { goals: [{ event }], splitBy: "referrer_source", ...daysOf(target) };
      const { answer, ms } = await post<GoalsAnswer>("/v1/query/goals", target, body);
      const splits = answer.goals?.[0]?.splits;
      if (splits === undefined) throw new Error(JSON.stringify(answer));
      return { rows: splits.map(({ value, figures }) => ({ value, ...figures })), ms };
    },
    read: async (type, target) => {
      const request = fromJson(QueryRequestSchema, { query: queryOf(type, target) });
      const work = (await planQueries(request, Date.now()))[0]?.parameters[0]?.work;
      if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
      const websiteIds = [websiteIdOf(target.place)];
      const unsettled = await findUnsettledRanges(websiteIds, work.range);
      const started = performance.now();
      await runParameter(
        { ...work, websiteIds, eventShare: largeWebsites.shareOf(websiteIds) },
        reader,
        visitFinder(async () => unsettled),
      );
      return performance.now() - started;
    },
    close: async () => {
      await rows.close();
      await reader.close();
      await postgres.end();
    },
  };
}

type QueryAnswer = { readonly data?: readonly { success: boolean; error?: string; data: JsonObject[] }[] };

type GoalsAnswer = { readonly goals?: readonly { splits: readonly { value: string; figures: JsonObject }[] }[] };

function queryOf(name: string, target: Target) {
  return { parameters: [{ name }], ...daysOf(target), granularity: "daily" };
}

function daysOf({ from, until }: Target) {
  return { startDate: from, endDate: new Date(Date.parse(until) - 86_400_000).toISOString().slice(0, 10) };
}

/** A statement that may take longer than a query of the service. */
async function runLong(stack: Stack, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: stack.config.questdb.pg });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
