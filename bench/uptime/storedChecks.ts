import type { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";

export type StoredCheck = {
  readonly monitorId: string;
  readonly dueMs: number;
  readonly lateMs: number;
  readonly status: string;
};

/** The checks of a website's slots that were due in a time, Unix ms. */
export async function readChecks(
  questdb: QuestdbReader,
  websiteId: string,
  fromMs: number,
  untilMs: number,
): Promise<StoredCheck[]> {
  const rows = await questdb.read(
    `SELECT monitor_id, ts::long / 1000 AS due_ms, started_ms - ts::long / 1000 AS late_ms, status FROM uptime_checks
     WHERE website_id = $1 AND ts >= ($2::long)::timestamp AND ts < ($3::long)::timestamp`,
    [websiteId, fromMs * 1_000, untilMs * 1_000],
  );
  return rows.map((row) => ({
    monitorId: String(row["monitor_id"]),
    dueMs: Number(row["due_ms"]),
    lateMs: Number(row["late_ms"]),
    status: String(row["status"]),
  }));
}

export type Expected = {
  readonly monitorIds: readonly string[];
  /** Of them, those whose target hangs. */
  readonly hangingIds: ReadonlySet<string>;
  readonly due: number;
};

/** What is wrong with them, in words: a slot stored twice, a monitor without a check, or a target that hangs and is not down. */
export function wrongChecks(checks: readonly StoredCheck[], { monitorIds, hangingIds, due }: Expected): string[] {
  const slots = new Set(checks.map(({ monitorId, dueMs }) => `${monitorId} ${dueMs}`));
  const checked = new Set(checks.map(({ monitorId }) => monitorId));
  const unchecked = monitorIds.filter((id) => !checked.has(id)).length;
  const notDown = checks.filter(({ monitorId, status }) => hangingIds.has(monitorId) && status !== "down").length;
  const notUp = checks.filter(({ monitorId, status }) => !hangingIds.has(monitorId) && status !== "up").length;
  return [
    ...(slots.size < checks.length ? [`${checks.length - slots.size} checks are stored twice`] : []),
    ...(checks.length > due ? [`${checks.length} checks are stored, of ${due} that were due`] : []),
    ...(unchecked > 0 ? [`${unchecked} of ${monitorIds.length} monitors were not checked`] : []),
    ...(notDown > 0 ? [`${notDown} checks of targets that hang are not down`] : []),
    ...(notUp > 0 ? [`${notUp} checks of targets that answer are not up`] : []),
  ];
}
