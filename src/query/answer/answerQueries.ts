import type { JsonObject } from "@bufbuild/protobuf";
import { isReadLimit, storeFailureAnswer } from "../../call/storeFailureAnswer.ts";
import { inOrder } from "../../concurrency/inOrder.ts";
import { nextSlice, sliceIsOver } from "../../concurrency/timeSlices.ts";
import { ApiError, unavailable } from "../../errors/errors.ts";
import { StoreFailure } from "../../errors/storeFailure.ts";
import { isStoreUnavailable } from "../../store/storeUnavailable.ts";
import type { TimeRange } from "../../time/dates.ts";
import { isCovered, merged } from "../../time/timeRanges.ts";
import { type AudienceWebsites, concernsVisitors, isOfEachWebsite } from "../daily/audience.ts";
import { knowledgeOf, planDaily } from "../daily/planDaily.ts";
import { runDaily } from "../daily/runDaily.ts";
import { excludedProgramsOnly, shownExcluded, shownPresenceOfEach } from "../daily/shownVisitors.ts";
import type { PlannedParameter, PlannedQuery } from "../plan/planQuery.ts";
import type { QueryCall } from "../queryCall.ts";
import { AnswerRefusal } from "../shapes/answerRefusal.ts";
import type { RowScope } from "../sql/rowScope.ts";
import { withFuture } from "../unknown/futureTimes.ts";
import { type EventRecord, recordFor, unknownOfCompared, unknownTimes } from "../unknown/unknownTimes.ts";
import { type FindVisits, visitFinder } from "../visits/findVisits.ts";
import { unsettledRangesIn } from "../visits/unsettledRanges.ts";
import { answerAudience } from "./answerAudience.ts";
import { type CallReader, readerOf } from "./callReader.ts";
import { compareRows, hasRowsByValue } from "./compareRows.ts";
import type { AnsweredParameter, Outcome } from "./queryAnswer.ts";
import { runParameter } from "./runParameter.ts";
import { isOwnType, runWebsites } from "./websites/runWebsites.ts";

/**
 * `atOnce` equals the reads a website may run at once; `ahead` lets more be ready, so that a slow one does not block
 * those behind it.
 */
const parameters = { atOnce: 4, ahead: 8 };

/**
 * Answers the parameters of queries, those of the first query first. Each answer is passed to `shape` as soon as it is
 * there, and only the result is held in memory.
 *
 * A parameter that is not answered before the request times out fails alone, with a message.
 *
 * Throws SERVICE_UNAVAILABLE when no parameter could reach the event store, and what the reader throws for calls that
 * wait too long or were aborted.
 */
export type AnsweredQueries = <T>(shape: (answered: AnsweredParameter) => T | Promise<T>) => AsyncGenerator<T>;

/** Which rows a call may read, in any range, and which of the websites measure their audience only. */
type Rows = Omit<RowScope, "range"> & { readonly audience: AudienceWebsites };

export function answerQueries(
  queries: readonly PlannedQuery[],
  rows: Rows,
  call: QueryCall,
  record?: EventRecord,
): AnsweredQueries {
  const planned = queries.flatMap((query) => query.parameters);
  const reader = readerOf(call, rows.websiteIds);
  const findVisits = visitFinder(unsettledRangesIn(call.app));
  const shared = { reader, findVisits, record };
  return (shape) =>
    unlessAllAway(
      inOrder(planned, parameters, async (parameter) => {
        const { storeUnavailable, ...outcome } = await answerParameter(parameter, rows, shared, call);
        return {
          shaped: await shape({ label: parameter.label, fields: parameter.type.fields, outcome }),
          storeUnavailable,
        };
      }),
    );
}

/** The most rows of a table that are looked through for those to compare with: the largest limit of a query. */
const comparedLimit = 10_000;

/** The page that holds all rows of a table. */
const allOfThem = { limit: comparedLimit, offset: 0 };

/** What the parameters of a call share. */
type Shared = {
  readonly reader: CallReader;
  readonly findVisits: FindVisits;
  readonly record: EventRecord | undefined;
};

type OwnOutcome = Outcome & { readonly storeUnavailable?: unknown };

async function answerParameter(
  { type, work }: PlannedParameter,
  { websiteIds, organizationId, monitorId, linkId, audience }: Rows,
  { reader, findVisits, record }: Shared,
  call: QueryCall,
): Promise<OwnOutcome> {
  // Parameters that need no read would otherwise run in one event-loop tick.
  if (sliceIsOver()) await nextSlice();
  if ("error" in work) return work;
  if (monitorId !== undefined && type.table !== "uptime_checks")
    return { error: `${type.name} is not about a monitor. Send website_id instead of schedule_id` };
  if (linkId !== undefined && type.table !== "link_clicks")
    return { error: `${type.name} is not about a short link. Send website_id instead of link_id` };
  const eventShare = call.app.largeWebsites.shareOf(websiteIds);
  const [smallest] = concernsVisitors(type) ? audience.values() : [];
  try {
    reader.requireTime();
    const known = record === undefined ? undefined : recordFor(type, record);
    const ask = async (range: TimeRange, page: { readonly limit: number; readonly offset: number }) => {
      const asked = { ...work, ...page, range, websiteIds, eventShare };
      // Of several websites only those with a row for each are asked: src/query/daily/audience.ts refuses others.
      if (smallest !== undefined && !isOfEachWebsite(type))
        return answerAudience(asked, smallest, record, reader.over(range), findVisits, call.app);
      const daily = record === undefined ? undefined : planDaily({ ...work, range }, record);
      if (daily !== undefined) return runDaily(asked, daily, reader.over(daily.range), findVisits, call.app);
      const unknown = known === undefined ? [] : merged(withFuture(unknownTimes(known, range), range, known.readMs));
      const run = async (plan: typeof asked) =>
        await runParameter({ ...plan, organizationId, monitorId, linkId, unknown }, reader.over(range), findVisits);
      if (audience.size > 0 && isOfEachWebsite(type))
        return shownPresenceOfEach(await run({ ...asked, ...allOfThem }), audience, page);
      if (audience.size > 0 && type.table === "excluded_traffic")
        return shownExcluded(type, await run({ ...asked, filters: [...asked.filters, excludedProgramsOnly] }));
      return await run(asked);
    };
    if (isOwnType(type))
      return { rows: await runWebsites({ ...work, type, websiteIds, eventShare }, audience, reader, call) };
    if (work.compared === undefined) return { rows: await ask(work.range, work) };
    // A table has its rows in another order there, so their places do not tell which to read.
    const page = hasRowsByValue(type) ? allOfThem : work;
    const askCompared = ask(work.compared, page).catch((failure: unknown): JsonObject[] => {
      // Groups that are too small to be shown are unknown.
      if (smallest !== undefined && failure instanceof AnswerRefusal) return [];
      throw failure;
    });
    const [rows, found] = await Promise.all([ask(work.range, work), askCompared]);
    const knowledge = (range: TimeRange) => knowledgeOf({ ...work, range }, known, smallest !== undefined);
    const compared = unknownOfCompared(knowledge(work.range), knowledge(work.compared));
    const comparison = {
      range: work.compared,
      ...compared,
      rows: await compareRows(type, rows, {
        rows: found,
        isCut: found.length >= comparedLimit || smallest !== undefined,
        isUnknown: isCovered(work.compared, merged(compared.unknown)),
      }),
    };
    return { rows, comparison };
  } catch (failure) {
    if (failure instanceof AnswerRefusal) {
      const { message, detail } = failure;
      return { error: message, ...(detail === undefined ? {} : { detail }) };
    }
    if (failure instanceof StoreFailure && isReadLimit(failure)) return { error: storeFailureAnswer(failure).message };
    // The call cannot continue: it was aborted, or had to wait too long.
    if (failure instanceof StoreFailure || failure instanceof ApiError) throw failure;
    call.app.log.error({ requestId: call.requestId, queryType: type.name, err: failure }, "query parameter failed");
    const error = "The query could not be executed. Try again or narrow the range";
    return isStoreUnavailable(failure) ? { error, storeUnavailable: failure } : { error };
  }
}

/**
 * Holds back answers that failed because the store is unavailable, until one reaches the store; if none does, the whole call
 * fails.
 */
async function* unlessAllAway<T>(
  answers: AsyncIterable<{ readonly shaped: T; readonly storeUnavailable: unknown }>,
): AsyncGenerator<T> {
  let held: T[] | undefined = [];
  let cause: unknown;
  for await (const { shaped, storeUnavailable } of answers) {
    if (held !== undefined && storeUnavailable !== undefined) {
      held.push(shaped);
      cause ??= storeUnavailable;
      continue;
    }
    if (held !== undefined) yield* held;
    held = undefined;
    yield shaped;
  }
  if (held !== undefined && held.length > 0)
    throw unavailable("The event store does not answer. Try again in a few seconds", 5, cause);
}
