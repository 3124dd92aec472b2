import { withSessionsSql } from "../../aggregation/sessionSql.ts";
import type { AnalyzeJourneysReply } from "../../gen/lookout/services.ts";
import type { AnalyzeJourneysRequest } from "../../gen/lookout/v1/funnels_pb.ts";
import { Problems } from "../../problems.ts";
import { readerOf } from "../answer/callReader.ts";
import type { QueryCall } from "../queryCall.ts";
import { countValues, requireFewFilterValues } from "../request/filterWork.ts";
import { Bindings } from "../sql/bindings.ts";
import { allOf, filterSql } from "../sql/filters.ts";
import { eventKinds } from "../sql/measures.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { type EventScope, readScope, requireWebsite } from "./eventScope.ts";
import { JourneyCounter, type Run } from "./journeyCounter.ts";

const defaultLength = 3;
const defaultLimit = 20;

/**
 * POST /v1/query/journeys: which pages follow one another within sessions, as JourneyCounter counts them. Sessions are
 * those of all queries; events removed by a filter still keep a session together.
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
  const counter = new JourneyCounter(query.length ?? defaultLength, query.page === "" ? undefined : query.page);
  const { sql, values } = journeyStatement({ ...scope, websiteIds });
  await readerOf(call, websiteIds).readEach(sql, values, ([sessionKey, began, path]) =>
    counter.add(`${sessionKey} ${began}`, path ?? ""),
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

/** The page views of sessions, by session and time: session_key, start of the session, path. */
function journeyStatement(scope: EventScope) {
  const bindings = new Bindings();
  const filters = filterSql(scope.filters, "events", bindings);
  const isShown = allOf([eventKinds.page_view, filters]);
  const activities =
    `SELECT session_key, ts, path, CASE WHEN ${isShown} THEN 1 ELSE 0 END AS shown ` +
    `FROM ${rowsOf("events", scope, bindings)} AND session_key != null UNION ALL ` +
    "SELECT session_key, ts, null::varchar AS path, 0 AS shown " +
    `FROM ${rowsOf("outgoing_links", scope, bindings)} AND session_key != null`;
  const sql =
    `SELECT session_key, session_began, path FROM (${withSessionsSql(activities)}) ` +
    "WHERE shown = 1 ORDER BY session_key, ts, path";
  return { sql, values: bindings.values };
}

function transitionOf({ pages: [from, to], count }: Run) {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), count };
}
