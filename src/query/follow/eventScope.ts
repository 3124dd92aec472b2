import type { IANAZone } from "luxon";
import { missingWebsiteId } from "../../errors/errors.ts";
import type { Problems } from "../../errors/problems.ts";
import type { QueryFilter } from "../../gen/lookout/v1/query_pb.ts";
import type { TimeRange } from "../../time/dates.ts";
import { readDates, readRange } from "../../time/readRange.ts";
import { readZone } from "../../time/readZone.ts";
import type { CallReader } from "../answer/callReader.ts";
import { readEventFilters } from "../filters/readEventFilters.ts";
import type { QueryCall } from "../queryCall.ts";
import { accessDenied, websiteOfRows } from "../request/project.ts";
import type { Field } from "../sql/fields.ts";
import type { Filter } from "../sql/filters.ts";
import { visitFinder } from "../visits/findVisits.ts";
import { findOtherVisits, type OtherQuestions } from "../visits/otherVisits.ts";
import { unsettledRangesIn } from "../visits/unsettledRanges.ts";
import type { VisitScope } from "../visits/visitsSql.ts";

/** The range and filters of an analysis. All filters select visits: those on event fields the visits with such an event. */
export type EventScope = {
  readonly range: TimeRange;
  readonly zone: IANAZone;
  readonly filters: readonly Filter[];
};

/** The fields that requests for analyses share in the contract. */
type ScopeOf = {
  readonly preset: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly filters: readonly QueryFilter[];
};

/** The range and filters of an analysis; problems are reported. */
export function readScope(question: ScopeOf, timezone: string, nowMs: number, problems: Problems): EventScope {
  const zone = readZone(timezone, problems);
  const dates = readDates(question, "", zone, nowMs, problems);
  const range = readRange({}, dates, { at: "", where: "" }, zone, problems);
  const filters = readEventFilters(question.filters, "", problems);
  // An invalid range was reported to `problems`, so this placeholder is never used.
  return { range: range ?? { startMs: 0, endMs: 0 }, zone, filters };
}

/** What an analysis asks about visits besides its range and filters. */
type Asked = {
  readonly split?: Field | undefined;
  readonly steps?: readonly { readonly filters: readonly Filter[] }[];
} & Pick<OtherQuestions, "attribution">;

/** The visits of an analysis of these websites. */
export async function visitsOf(
  { range, filters }: EventScope,
  websiteIds: readonly string[],
  reader: CallReader,
  call: QueryCall,
  { split, steps = [], ...more }: Asked = {},
): Promise<VisitScope> {
  const scope = { websiteIds, range, filters, eventShare: call.app.largeWebsites.shareOf(websiteIds) };
  const findVisits = visitFinder(unsettledRangesIn(call.app));
  const all = [...filters, ...steps.flatMap((step) => step.filters)];
  const asked = { ...more, fields: [...all.map(({ field }) => field), split?.column ?? ""] };
  const [visits, others] = await Promise.all([
    findVisits(scope, reader, false),
    findOtherVisits(scope, asked, reader, findVisits),
  ]);
  return { ...scope, visits, ...others };
}

/** The website of an analysis, for callers who may read all of it: a public dashboard does not show analyses. */
export async function requireWebsite(websiteId: string, call: QueryCall): Promise<readonly string[]> {
  if (websiteId === "") throw missingWebsiteId();
  const reason = "Funnels, goals and journeys are not analysed, since their steps filter visitors until few are left";
  const { websiteIds, publicOnly } = await websiteOfRows(websiteId, reason, call);
  if (publicOnly) throw accessDenied();
  return websiteIds;
}
