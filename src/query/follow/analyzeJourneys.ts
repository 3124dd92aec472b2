import { Problems } from "../../errors/problems.ts";
import type { AnalyzeJourneysReply } from "../../gen/lookout/services.ts";
import type { AnalyzeJourneysRequest } from "../../gen/lookout/v1/funnels_pb.ts";
import { plainPath } from "../../text/pagePath.ts";
import { readerOf } from "../answer/callReader.ts";
import { countValues, requireFewFilterValues } from "../filters/filterWork.ts";
import type { QueryCall } from "../queryCall.ts";
import { Bindings } from "../sql/bindings.ts";
import { eventKinds } from "../sql/measures.ts";
import { eventsOfVisits, selectedVisits } from "../visits/visitEvents.ts";
import type { VisitScope } from "../visits/visitsSql.ts";
import { readScope, requireWebsite, visitsOf } from "./eventScope.ts";
import { JourneyCounter, type Run } from "./journeyCounter.ts";

const defaultLength = 3;
const defaultLimit = 20;

/**
 * POST /v1/query/journeys: which pages follow one another within sessions, as JourneyCounter counts them. Filters
 * select sessions, each with all of its pages.
 *
 * Throws VALIDATION_ERROR or INVALID_DATE_PRESET, MISSING_WEBSITE_ID, ACCESS_DENIED, and QUERY_ERROR for too much data.
 */
export async function analyzeJourneys(
  { query, websiteId, timezone }: AnalyzeJourneysRequest,
  call: QueryCall,
): Promise<AnalyzeJourneysReply> {
  if (query === undefined) throw new Error("the contract lets no request without a query pass");
  const problems = new Problems();
  const scope = readScope(query, timezone, Date.now(), problems);
  problems.throwIfAny();
  requireFewFilterValues(countValues(query.filters), call);
  const websiteIds = await requireWebsite(websiteId, call);
  const counter = new JourneyCounter(
    query.length ?? defaultLength,
    query.page === "" ? undefined : plainPath(query.page),
  );
  const reader = readerOf(call, websiteIds).over(scope.range);
  const { sql, values } = journeyStatement(await visitsOf(scope, websiteIds, reader, call));
  await reader.readEach(sql, values, ([sessionKey, began, path]) =>
    counter.add(`${sessionKey} ${began}`, plainPath(path ?? "")),
  );
  const { sessions, transitions, runs } = await counter.finish(query.limit ?? defaultLimit);
  return {
    success: true,
    requestId: call.requestId,
    sessions,
    transitions: transitions.map(transitionOf),
    paths: runs.map(({ pages, count }) => ({ pages: pages.map((page) => page ?? ""), count })),
  };
}

/** The page views of the selected visits, by visit and time: session_key, begin of the visit, path. */
function journeyStatement(scope: VisitScope) {
  const bindings = new Bindings();
  const visits = selectedVisits(scope, [], bindings);
  const views = eventsOfVisits(
    { ...scope, filters: [] },
    "events",
    { values: { path: "path" }, texts: [] },
    [eventKinds.page_view],
    bindings,
    visits,
  );
  const sql = `SELECT session_key, began, path FROM (${views}) ORDER BY session_key, ts, path`;
  return { sql, values: bindings.values };
}

function transitionOf({ pages: [from, to], count }: Run) {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), count };
}
