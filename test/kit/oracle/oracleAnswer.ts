import type { OutputField } from "../../../src/query/catalogue/queryType.ts";
import { measuresOf } from "../../../src/query/catalogue/typeParts.ts";
import { type MeasureName, measureOf } from "../../../src/query/sql/measures.ts";
import { selectsEvents } from "./oracleFilters.ts";
import { sourceOf } from "./oracleSource.ts";
import { bucketSql, groupsSql, instantSql } from "./oracleSql.ts";
import type { OracleRow, OracleTables } from "./oracleTables.ts";
import type { RandomQuery } from "./randomQuery.ts";

/** A row of the answer before it is shown: the name of its bucket, its groups and its figures. */
export type Facts = {
  readonly bucket: string;
  readonly groups: readonly string[];
  readonly figures: ReadonlyMap<MeasureName, number | null>;
  readonly totals: ReadonlyMap<MeasureName, number>;
};

const bounds = new Map<string, number>();

/** The expected answer to a query, counted by DuckDB. */
export async function oracleAnswer(randomQuery: RandomQuery, tables: OracleTables): Promise<Facts[]> {
  const { type, start, end, zone, limit, page } = randomQuery;
  const range = {
    startMs: await instant(start, "start", zone, tables),
    endMs: await instant(end, "end", zone, tables),
  };
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
  if (type.shape.kind !== "series") return inOrder([...rows.values()], randomQuery).slice(from, from + limit);
  // Buckets are found by walking through the range in quarters of an hour.
  const steps = `SELECT unnest(range(${range.startMs}, ${range.endMs}, 900000)) AS moment`;
  const buckets = await tables.rows(
    `SELECT bucket FROM (SELECT moment, ${bucketSql("moment", randomQuery)} AS bucket FROM (${steps})) GROUP BY bucket ORDER BY min(moment)`,
  );
  return buckets.slice(from, from + limit).map(({ bucket }) => {
    const name = String(bucket);
    return rows.get(JSON.stringify([name])) ?? { bucket: name, groups: [name], figures: new Map(), totals };
  });
}

async function instant(text: string, edge: "start" | "end", zone: string, tables: OracleTables): Promise<number> {
  const sql = instantSql(text, edge, zone);
  const known = bounds.get(sql);
  if (known !== undefined) return known;
  const [row] = await tables.rows(`SELECT (${sql})::DOUBLE AS ms`);
  const ms = Number(row?.["ms"]);
  bounds.set(sql, ms);
  return ms;
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
