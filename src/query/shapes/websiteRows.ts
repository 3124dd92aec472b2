import type { JsonObject } from "@bufbuild/protobuf";
import { eachInSlices } from "../../concurrency/timeSlices.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { TimeRange } from "../../time/dates.ts";
import { merged } from "../../time/timeRanges.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedStatement } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import type { Buckets } from "../sql/buckets.ts";
import { matchesText } from "../sql/filters.ts";
import type { MeasureName } from "../sql/measures.ts";
import { unknownTimes } from "../unknown/unknownTimes.ts";
import { relationRows } from "./measuredStatement.ts";

/** The statement for measures of events by website: `website`, `bucket` of a series, and `m0`, `m1` … for the measures. */
export function websiteRows(
  plan: ParameterPlan,
  buckets: Buckets | undefined,
  names: readonly MeasureName[],
): PreparedStatement {
  const type = { ...plan.type, shape: { kind: "table", dimensions: ["website_id"] } } as const;
  const bindings = new Bindings();
  const { sql, keys } = relationRows({ ...plan, type }, buckets, "events", names, bindings);
  const [website, bucket] = keys.toReversed();
  const columns = [`${website} AS website`, `${bucket ?? 0} AS bucket`, ...names.map((_, index) => `m${index}`)];
  return { sql: `SELECT ${columns.join(", ")} FROM (${sql})`, values: bindings.values };
}

/** Rows of websiteRows by website and bucket. */
export async function byWebsite(rows: readonly Row[]): Promise<ReadonlyMap<string, ReadonlyMap<number, Row>>> {
  const found = new Map<string, Map<number, Row>>();
  await eachInSlices(rows, (row) => {
    const id = String(row["website"]);
    const ofWebsite = found.get(id) ?? new Map<number, Row>();
    found.set(id, ofWebsite);
    ofWebsite.set(Number(row["bucket"]), row);
  });
  return found;
}

/** The websites of a plan that its filters on the website select. Filters on anything else select what is counted, not websites. */
export function selectedWebsites({ websiteIds, filters }: Pick<ParameterPlan, "websiteIds" | "filters">): string[] {
  const ofWebsites = filters.filter(({ field }) => field === "website_id");
  return websiteIds.filter((id) => ofWebsites.every((filter) => matchesText(filter, id)));
}

/** The unknown times of a website in a range, sorted and disjoint. */
export function unknownOfWebsite(
  { records }: Pick<ParameterPlan, "records">,
  id: string,
  range: TimeRange,
): TimeRange[] {
  const record = records?.get(id);
  return record === undefined ? [] : merged(unknownTimes(record, range));
}

/** Rows in the order of their type: most visitors first, what is unknown last, or by the id. */
export function orderWebsites({ kind }: Pick<QueryType["shape"], "kind">, rows: readonly JsonObject[]): JsonObject[] {
  const visitors = (row: JsonObject): number => (kind === "websites_today" ? Number(row["visitors"] ?? -1) : 0);
  const byId = (one: JsonObject, other: JsonObject) =>
    String(one["website_id"]) < String(other["website_id"]) ? -1 : 1;
  return rows.toSorted((one, other) => visitors(other) - visitors(one) || byId(one, other));
}
