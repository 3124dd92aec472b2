import type { HistorySummary } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";

/** What rows are sorted by. */
export type SortedBy = "state" | "name" | "p95" | "up";

/** What is known of a row. */
export type KnownRow = {
  readonly id: string;
  readonly name: string;
  readonly state: string | undefined;
  readonly p95Ms: number | null | undefined;
  readonly summary: Pick<HistorySummary, "uptimePercent" | "coveragePercent"> | undefined;
};

const worstFirst = ["down", "degraded", "unknown", "maintenance", "up", "paused", "stopped"];

/** Ids of rows: the worst or slowest first, names from A to Z. What is not known is last, and rows that are equal are sorted by name. */
export function sortedRows(rows: readonly KnownRow[], by: SortedBy): string[] {
  const rank = (row: KnownRow): number => {
    if (by === "state") {
      const place = worstFirst.indexOf(row.state ?? "unknown");
      return place === -1 ? worstFirst.length : place;
    }
    if (by === "p95") return -(row.p95Ms ?? -1);
    if (by === "up")
      return row.summary === undefined || row.summary.coveragePercent === 0
        ? Number.POSITIVE_INFINITY
        : row.summary.uptimePercent;
    return 0;
  };
  return rows
    .toSorted((one, other) => {
      const [first, second] = [rank(one), rank(other)];
      return first === second ? one.name.localeCompare(other.name) : first - second;
    })
    .map(({ id }) => id);
}
