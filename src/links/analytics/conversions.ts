import type { CallReader } from "../../query/answer/callReader.ts";
import type { ParameterPlan } from "../../query/plan/parameterPlan.ts";
import { Bindings } from "../../query/sql/bindings.ts";
import { bucketSql } from "../../query/sql/bucketSql.ts";
import { type Buckets, bucketsOf } from "../../query/sql/buckets.ts";
import { findField } from "../../query/sql/fields.ts";
import { allOf, filterSql } from "../../query/sql/filters.ts";
import { labelled } from "../../query/sql/grouped.ts";
import { rowsOf } from "../../query/sql/rowScope.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";

/** Visitors who clicked a link to a tracked website, and those of them who then viewed the page there. */
export type Conversions = { readonly visitors: number; readonly converted: number };

/** How long after a click the page counts as reached. */
const windowMinutes = 30;

/** Page views carry the time of the visitor's clock, which may be slightly behind ours. */
const clockBehindMinutes = 1;

/**
 * Conversions by the values of a table's dimension, by the buckets of a series, or in total under the empty text.
 *
 * A visitor is converted when one of the websites got a page view of the target's path, from a minute before to 30
 * minutes after the click, by the same address and user agent on the same UTC day. Only page views of websites that are
 * targets of links carry the key for that.
 */
export async function readConversions(
  plan: ParameterPlan,
  trackedIds: readonly string[],
  reader: CallReader,
): Promise<ReadonlyMap<string, Conversions>> {
  const buckets = plan.type.shape.kind === "series" ? bucketsOf(plan.range, plan.bucketUnit, plan.zone) : undefined;
  const clicks = (bindings: Bindings) => clicksSql(plan, buckets, trackedIds, bindings);
  const [visitors, converted] = await Promise.all([
    countByKey(reader, (bindings) => `(${clicks(bindings)})`),
    countByKey(reader, (bindings) => convertedSql(plan, clicks(bindings), trackedIds, bindings)),
  ]);
  const labelOf = (key: string) => (buckets === undefined ? key : (buckets.labels[Number(key)] ?? ""));
  return new Map(
    [...visitors].map(([key, count]) => [labelOf(key), { visitors: count, converted: converted.get(key) ?? 0 }]),
  );
}

/** The visitors of rows, by their keys. */
async function countByKey(reader: CallReader, rowsSql: (bindings: Bindings) => string): Promise<Map<string, number>> {
  const bindings = new Bindings();
  const sql = `SELECT k0, count_distinct(visitor_key) AS n FROM ${rowsSql(bindings)} GROUP BY k0`;
  const rows = await reader.read(sql, bindings.values);
  return new Map(rows.map((row: Row) => [String(row["k0"] ?? ""), Number(row["n"])]));
}

/** The clicks that led to a page view. */
function convertedSql(
  { range: { startMs, endMs } }: ParameterPlan,
  clicks: string,
  trackedIds: readonly string[],
  bindings: Bindings,
): string {
  const range = { startMs: startMs - clockBehindMinutes * 60_000, endMs: endMs + windowMinutes * 60_000 };
  const views =
    "SELECT website_id AS viewed_id, click_visitor_key, ts AS viewed, path FROM " +
    `${rowsOf("events", { websiteIds: trackedIds, range }, bindings)} AND event_type = 'page_view' AND click_visitor_key IS NOT NULL`;
  return (
    "(SELECT clicks.k0, clicks.visitor_key FROM " +
    `(${clicks}) clicks JOIN (${views}) views ON clicks.visitor_key = views.click_visitor_key ` +
    // The target path of a root page is null, and concat treats null as an empty text.
    "WHERE views.viewed_id = clicks.target_website_id AND (views.path = concat(clicks.target_path, '/') " +
    "OR clicks.target_path IS NOT NULL AND views.path = clicks.target_path) " +
    `AND views.viewed >= dateadd('m', -${clockBehindMinutes}, clicks.ts) AND views.viewed < dateadd('m', ${windowMinutes}, clicks.ts))`
  );
}

function clicksSql(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  trackedIds: readonly string[],
  bindings: Bindings,
): string {
  const conditions = [
    rowsOf("link_clicks", plan, bindings),
    filterSql(plan.filters, "link_clicks", bindings),
    `target_website_id IN (${bindings.bindAll(trackedIds)})`,
  ];
  return (
    `SELECT ${keySql(plan, buckets)} AS k0, visitor_key, ts, target_website_id, target_path ` +
    `FROM ${allOf(conditions)}`
  );
}

function keySql({ type }: ParameterPlan, buckets: Buckets | undefined): string {
  if (buckets !== undefined) return bucketSql(buckets, "ts");
  const [dimension] = type.shape.kind === "table" ? type.shape.dimensions : [];
  const field = dimension === undefined ? undefined : findField("link_clicks", dimension);
  return field === undefined ? "''" : labelled(field);
}
