import type { Pool } from "pg";
import { epochMs } from "../../store/postgres/epochMs.ts";
import type { Questdbs } from "../../store/questdb/questdbs.ts";
import { dayMs, isoTime } from "../../time/utcDay.ts";
import { missedSlotMs, type ProgressOf } from "../figures/figures.ts";
import { type Monitor, monitorColumns } from "../monitor/monitor.ts";

/** Monitors per statement. */
const maxAtOnce = 500;
/** Longer than two of the longest intervals. */
const lookBackMs = 3 * dayMs;

/** Active monitors that miss a slot which must have been checked and stored, or skipped, by `nowMs`. */
export async function monitorsWithoutProgress(
  { postgres, questdb }: { readonly postgres: Pick<Pool, "query">; readonly questdb: Pick<Questdbs, "nodeOfEach"> },
  nowMs: number,
): Promise<Monitor[]> {
  const { rows } = await postgres.query<Monitor & ProgressOf>(
    `SELECT ${monitorColumns}, ${epochMs("from_at")} AS "dueFromMs",
       ${epochMs("unchecked_due_at")} AS "uncheckedMs"
     FROM monitors JOIN (SELECT monitor_id, from_at FROM monitor_schedules WHERE until_at IS NULL) AS due ON monitor_id = id
     WHERE status = 'active' AND deleted_at IS NULL`,
  );
  const found: Monitor[] = [];
  for (let from = 0; from < rows.length; from += maxAtOnce) {
    const monitors = rows.slice(from, from + maxAtOnce);
    const places = monitors.map((_, index) => `$${index + 2}`).join(", ");
    // Not LATEST ON: its cached plan for bound monitors misses those whose first check was stored after it was compiled.
    const sql = `SELECT monitor_id, max(ts) ts FROM uptime_checks WHERE ts >= $1 AND monitor_id IN (${places}) GROUP BY monitor_id`;
    const values = [isoTime(nowMs - lookBackMs), ...monitors.map(({ id }) => id)];
    const nodes = await questdb.nodeOfEach();
    const latest = (await Promise.all(nodes.map(({ reader }) => reader.read(sql, values)))).flat();
    // While an organization moves two shards have checks of its monitors.
    const lastMs = new Map<string, number>();
    for (const row of latest) {
      const id = String(row["monitor_id"]);
      lastMs.set(id, Math.max(lastMs.get(id) ?? 0, Number(row["ts"])));
    }
    found.push(...monitors.filter((monitor) => missedSlotMs(lastMs.get(monitor.id), monitor, nowMs) !== undefined));
  }
  return found;
}
