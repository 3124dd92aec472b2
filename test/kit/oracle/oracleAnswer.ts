import type { OutputField } from "../../../src/query/catalogue/queryType.ts";
import { measuresOf } from "../../../src/query/catalogue/typeParts.ts";
import { type MeasureName, measureOf } from "../../../src/query/sql/measures.ts";
import { selectsEvents } from "./oracleFilters.ts";
import { oracleRange, type TimeRange, without } from "./oracleRanges.ts";
import { sourceOf } from "./oracleSource.ts";
import { bucketSql, groupsSql } from "./oracleSql.ts";
import type { OracleRow, OracleTables } from "./oracleTables.ts";
import type { RandomQuery } from "./randomQuery.ts";

/**
 * A row of the answer before it is shown: the name of its bucket, its groups and its figures. `isUnknown`: it has no figures unless something
 * was counted, since nothing is known about its time.
 */
export type Facts = {
  readonly bucket: string;
  readonly groups: readonly string[];
  readonly figures: ReadonlyMap<MeasureName, number | null>;
  readonly totals: ReadonlyMap<MeasureName, number>;
  readonly isUnknown?: boolean;
};

/** What a question is about, besides its rows: its range, and the times whose events are unknown. */
export type OracleTimes = { readonly range: TimeRange; readonly unknown: readonly TimeRange[] };

/** The expected answer to a query, counted by DuckDB. Without `times` it is about the query's own range, and all of it is known. */
export async function oracleAnswer(
  randomQuery: RandomQuery,
  tables: OracleTables,
  times?: OracleTimes,
): Promise<Facts[]> {
  const { type, limit, page } = randomQuery;
  const { range, unknown } = times ?? { range: await oracleRange(randomQuery, tables), unknown: [] };
  const known = without(range, unknown);
  const bySource = Map.groupBy(measuresOf(type), (name) => sourceOf(type, name));
  const rows = new Map<string, Facts & { figures: Map<MeasureName, number | null> }>();
  const totals = new Map<MeasureName, number>();
  for (const [source, names] of bySource)
    for (const found of await tables.rows(groupsSql(type, source, names, randomQuery, range))) {
      const groups = keysOf(found);
      const key = JSON.stringify(groups);
      const row = rows.get(key) ?? { bucket: groups[0] ?? "", groups, figures: new Map(), totals };
      rows.set(key, row);
      for (const [index, name] of names.entries()) {
        const figure = found[`m${index}`];
        row.figures.set(name, typeof figure === "number" ? figure : null);
        totals.set(name, (totals.get(name) ?? 0) + Number(figure ?? 0));
      }
    }
  const from = (page - 1) * limit;
  if (type.shape.kind !== "series")
    return inOrder([...rows.values()], randomQuery)
      .slice(from, from + limit)
      .map((row) => ({ ...row, isUnknown: type.shape.kind === "summary" && known.length === 0 }));
  const knownBuckets = new Set(await bucketsOf(known, randomQuery, tables));
  return (await bucketsOf([range], randomQuery, tables)).slice(from, from + limit).map((name) => {
    const row = rows.get(JSON.stringify([name])) ?? { bucket: name, groups: [name], figures: new Map(), totals };
    return { ...row, isUnknown: !knownBuckets.has(name) };
  });
}

/** The names of the buckets that these ranges touch, found by walking through them in quarters of an hour. */
export async function bucketsOf(
  ranges: readonly TimeRange[],
  query: Pick<RandomQuery, "zone" | "unit">,
  tables: OracleTables,
): Promise<string[]> {
  if (ranges.length === 0) return [];
  const steps = ranges.map(
    ({ startMs, endMs }) =>
      `SELECT unnest(range(${startMs}, ${endMs}, 900000)) AS moment UNION ALL SELECT ${endMs - 1} AS moment`,
  );
  const found = await tables.rows(
    `SELECT bucket FROM (SELECT moment, ${bucketSql("moment", query)} AS bucket FROM (${steps.join(" UNION ALL ")})) GROUP BY bucket ORDER BY min(moment)`,
  );
  return found.map(({ bucket }) => String(bucket));
}

function keysOf(row: OracleRow): string[] {
  return Object.entries(row).flatMap(([name, value]) => (name.startsWith("k") ? [String(value)] : []));
}

/** Largest first by the type's own order and all counts, then by the groups' bytes. */
function inOrder<Row extends Facts>(rows: Row[], { type }: RandomQuery): Row[] {
  const own = type.shape.kind === "table" && type.shape.largestFirst !== undefined ? [type.shape.largestFirst] : [];
  const counts = measuresOf(type).filter((name) => measureOf(name).format === "count");
  return rows.sort((a, b) => {
    for (const name of [...own, ...counts]) {
      const [left, right] = [a.figures.get(name) ?? null, b.figures.get(name) ?? null];
      if (left === right) continue;
      // Rows without a figure come last.
      return left === null || right === null ? Number(left === null) - Number(right === null) : right - left;
    }
    return Buffer.compare(Buffer.from(a.groups.join("\u0000")), Buffer.from(b.groups.join("\u0000")));
  });
}

/** The expected value of a field, before rounding; times are ISO 8601. */
export function expectedValue(from: OutputField["from"], facts: Facts, query: RandomQuery): string | number | null {
  const isFigure = "measure" in from || "share" in from || "ratio" in from;
  if (isFigure && facts.isUnknown && facts.figures.values().every((figure) => !figure)) return null;
  // Page views of a filter are no page views of a visit.
  if ("measure" in from && from.measure === "pages_per_session" && selectsEvents(query)) return null;
  if ("bucket" in from) return facts.bucket;
  if ("dimension" in from) return facts.groups[from.dimension] ?? null;
  if ("dimensions" in from)
    return from.dimensions
      .map((at) => facts.groups[at] ?? "")
      .filter((text, index) => index === 0 || text !== "Unknown")
      .join(" ");
  if ("measure" in from) return shown(from.measure, facts.figures.get(from.measure) ?? null);
  if ("share" in from) {
    // Page views of a filter may be none, so the shares of a breakdown of visits are those of its sessions.
    const isOfSessions = from.share === "pageviews" && facts.figures.has("active_sessions") && selectsEvents(query);
    const shared = isOfSessions ? "active_sessions" : from.share;
    return percent(facts.figures.get(shared), facts.totals.get(shared));
  }
  if ("ratio" in from)
    return Math.min(percent(facts.figures.get(from.ratio[0]), facts.figures.get(from.ratio[1])), 100);
  throw new Error("measured types have no such field");
}

function shown(name: MeasureName, figure: number | null): string | number | null {
  const { format } = measureOf(name);
  if (figure === null) return format === "count" ? 0 : null;
  return format === "time" ? new Date(figure).toISOString() : figure;
}

function percent(part: number | null | undefined, whole: number | null | undefined): number {
  return whole ? (100 * (part ?? 0)) / whole : 0;
}
