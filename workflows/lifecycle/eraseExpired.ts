import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from "@temporalio/workflow";
import { lookoutDay } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import { markdownTable } from "../markdownTable.ts";
import type { RetentionActivities, RetentionRun } from "./retentionActivities.ts";

/** Erased rows by kind of data. */
export type ErasedRows = Readonly<Record<string, number>>;

/** Where a run stands; `days` counts the table days that are done. Plain JSON. */
export type RetentionPosition = { readonly run: RetentionRun; readonly days: number };

const { findExpiredDays, eraseExpiredDay } = aliveActivities<RetentionActivities>({
  startToCloseTimeout: "1 hour",
});

const { finishRetention } = aliveActivities<RetentionActivities>({ startToCloseTimeout: "1 minute" });

/**
 * Erases everything that a run covers, one table and day at a time, and ends the run. Resolves to the erased rows, or
 * to its position when its history has grown long: the workflow then continues as new.
 */
export async function eraseExpired({ run, days }: RetentionPosition): Promise<ErasedRows | RetentionPosition> {
  let done = days;
  const erased: Record<string, number> = {};
  const found = await findExpiredDays(run);
  const total = done + found.reduce((sum, table) => sum + table.days.length, 0);
  for (const { table, days: expiredDays } of found)
    for (const day of expiredDays) {
      showProgress(`at ${table} of ${day}`, erased, done, total);
      upsertSearchAttributes([{ key: lookoutDay, value: day }]);
      const rows = await eraseExpiredDay.executeWithOptions({ summary: `${table} of ${day}` }, [run, table, day]);
      for (const [kind, count] of Object.entries(rows)) erased[kind] = (erased[kind] ?? 0) + count;
      done += 1;
      if (done < total && workflowInfo().continueAsNewSuggested) return { run, days: done };
    }
  const totals = await finishRetention(run.id);
  showProgress("done", totals, done, total);
  return totals;
}

export function isPosition(result: ErasedRows | RetentionPosition): result is RetentionPosition {
  return "run" in result;
}

/** What the Temporal UI shows of the run. */
function showProgress(state: string, erased: ErasedRows, days: number, total: number): void {
  const rows = Object.entries(erased).map(([kind, count]) => [`rows erased, ${kind}`, count]);
  const table = markdownTable(["days of tables done", `${days} of ${total}`], rows);
  setCurrentDetails(`### Retention: ${state}\n\n${table}`);
}
