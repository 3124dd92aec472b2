import { dayUs, startOfUtcDay } from "../../../time/utcDay.ts";
import type { Dataset } from "../dataset.ts";
import type { ExportRow } from "../exportRow.ts";

/** The time range of a dataset's rows in an export, microseconds since 1970; `toUs` is exclusive. */
export type DatasetRange = { readonly fromUs: number; readonly toUs: number };

/** Days are those of the website's time zone, except for records of UTC days: for them the days with the same dates. */
export function datasetRange(
  { hasUtcDays }: Dataset,
  { fromMs, toMs, startDate, endDate }: Pick<ExportRow, "fromMs" | "toMs" | "startDate" | "endDate">,
): DatasetRange {
  if (!hasUtcDays) return { fromUs: fromMs * 1_000, toUs: toMs * 1_000 };
  return {
    fromUs: startOfUtcDay(startDate) * 1_000,
    toUs: startOfUtcDay(endDate) * 1_000 + dayUs,
  };
}
