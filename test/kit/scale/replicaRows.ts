import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../../src/config.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { type TableName, tableNames } from "../../../src/store/questdb/tables.ts";
import { tombstoneWebsiteId } from "../../../src/store/questdb/tombstone.ts";
import type { Replica } from "../../../stack/scale/scaleStack.ts";

/** What a replica has of a website: if two agree in this they have the same rows, for all that counts and times can tell. */
export type ReplicaRows = {
  readonly rows: number;
  readonly distinct: number;
  readonly timesUs: number;
  readonly firstUs: number;
  readonly lastUs: number;
  readonly metrics: number;
  readonly metricTimesUs: number;
};

export async function readReplica(
  settings: Config["questdb"],
  { http, pg }: Replica,
  websiteId: string,
): Promise<ReplicaRows> {
  const reader = new QuestdbReader({ ...settings, http, pg });
  try {
    // Sums of times within a period that no sum of many leaves the range of a LONG, or of a safe integer, for.
    const sum = "sum((ts::long / 1000) % 100000000)";
    const [events] = await reader.read(
      `SELECT count() n, count_distinct(event_id) ids, ${sum} times, min(ts)::long low, max(ts)::long high FROM events WHERE website_id = $1`,
      [websiteId],
    );
    const [metrics] = await reader.read(
      `SELECT count() n, ${sum} times FROM performance_metrics WHERE website_id = $1`,
      [websiteId],
    );
    return {
      rows: Number(events?.["n"]),
      distinct: Number(events?.["ids"]),
      timesUs: Number(events?.["times"]),
      firstUs: Number(events?.["low"]),
      lastUs: Number(events?.["high"]),
      metrics: Number(metrics?.["n"]),
      metricTimesUs: Number(metrics?.["times"]),
    };
  } finally {
    await reader.close();
  }
}

/** The rows of all websites in each table, and the sum of their times: without those that an erasure leaves as places. */
export async function readTables(settings: Config["questdb"], { http, pg }: Replica): Promise<Record<string, string>> {
  const reader = new QuestdbReader({ ...settings, http, pg });
  try {
    const sums: Record<string, string> = {};
    for (const table of tableNames) {
      const [row] = await reader.read(
        `SELECT count() n, sum((ts::long / 1000) % 100000000) times FROM ${table}
         WHERE website_id != null AND website_id != '${tombstoneWebsiteId}'`,
        [],
      );
      sums[table] = `${row?.["n"]} rows, ${row?.["times"]}`;
    }
    return sums;
  } finally {
    await reader.close();
  }
}

/** The ids of the events of a website. */
export async function readIds(
  settings: Config["questdb"],
  { http, pg }: Replica,
  websiteId: string,
): Promise<string[]> {
  const reader = new QuestdbReader({ ...settings, http, pg });
  try {
    const rows = await reader.read("SELECT event_id::varchar id FROM events WHERE website_id = $1", [websiteId]);
    return rows.map(({ id }) => String(id));
  } finally {
    await reader.close();
  }
}

/** What all replicas have once they have `expected` ids and stay as they are, or after `timeoutMs`. */
export async function settledReplicas(
  settings: Config["questdb"],
  replicas: readonly Replica[],
  websiteId: string,
  expected: number,
  timeoutMs = 100_000,
): Promise<ReplicaRows[]> {
  const deadlineMs = performance.now() + timeoutMs;
  let before = "";
  for (;;) {
    const found = await Promise.all(replicas.map((replica) => readReplica(settings, replica, websiteId))).catch(
      (error: unknown) => {
        if (performance.now() > deadlineMs) throw error;
        return undefined;
      },
    );
    const now = JSON.stringify(found);
    const isDone = found?.every(({ distinct }) => distinct >= expected) && now === before;
    if (found !== undefined && (isDone || performance.now() > deadlineMs)) return found;
    before = now;
    await pause(1_000);
  }
}

/** Rows of a table in each replica, as text: equal texts are equal rows. */
export async function rowsInReplicas(
  settings: Config["questdb"],
  replicas: readonly Replica[],
  table: TableName,
  condition: string,
): Promise<string[][]> {
  return await Promise.all(
    replicas.map(async ({ http, pg }) => {
      const reader = new QuestdbReader({ ...settings, http, pg });
      try {
        const rows = await reader.read(`SELECT * FROM ${table} WHERE ${condition} ORDER BY ts`, []);
        return rows.map((row) => JSON.stringify(row));
      } finally {
        await reader.close();
      }
    }),
  );
}

/** Some rows of a table that only one of the replicas has, as text after the name of the replica. */
export async function rowsOfOne(
  settings: Config["questdb"],
  replicas: readonly Replica[],
  table: TableName,
): Promise<string[]> {
  const condition = `website_id != null AND website_id != '${tombstoneWebsiteId}'`;
  const rows = await rowsInReplicas(settings, replicas, table, condition);
  return rows
    .flatMap((own, index) => {
      const others = new Set(rows.flatMap((all, other) => (other === index ? [] : all)));
      return own.filter((row) => !others.has(row)).map((row) => `${replicas[index]?.name} ${row}`);
    })
    .slice(0, 20);
}
