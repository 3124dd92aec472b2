import { inOrder } from "../../concurrency/inOrder.ts";
import { nextSlice, sliceIsOver } from "../../concurrency/timeSlices.ts";
import { ApiError } from "../../errors.ts";
import type { CallContext } from "../../gateway/callContext.ts";
import { ReadLimitError } from "../../store/questdb/readFailure.ts";
import { isStoreAway } from "../../store/storeAway.ts";
import type { PlannedParameter, PlannedQuery } from "../plan/planQuery.ts";
import type { Project } from "../request/project.ts";
import { unsettledRangesIn } from "../stored/unsettledRanges.ts";
import { AnswerRefusal } from "./answerRefusal.ts";
import { type CallReader, readerOf } from "./callReader.ts";
import type { AnsweredParameter, Outcome } from "./queryAnswer.ts";
import { runParameter } from "./runParameter.ts";

/** As many as a website may read at once; a few more may be ready, so that a slow one does not hold up those behind it. */
const parameters = { atOnce: 4, ahead: 8 };

/**
 * Answers the parameters of queries, those of the first query first. Each answer is turned into what `shape` makes of it as soon as it is
 * there, and only that is held.
 *
 * What is not answered when the time of the request is up fails on its own and says so.
 *
 * Throws SERVICE_UNAVAILABLE when no parameter could reach the event store, and what the reader throws for calls that have to wait too
 * long or were given up.
 */
export type AnsweredQueries = <T>(shape: (answered: AnsweredParameter) => T | Promise<T>) => AsyncGenerator<T>;

export function answerQueries(queries: readonly PlannedQuery[], project: Project, call: CallContext): AnsweredQueries {
  const planned = queries.flatMap((query) => query.parameters);
  const reader = readerOf(call, project.websiteIds);
  return (shape) =>
    unlessAllAway(
      inOrder(planned, parameters, async (parameter) => {
        const { storeAway, ...outcome } = await answerParameter(parameter, project, reader, call);
        return { shaped: await shape({ label: parameter.label, fields: parameter.type.fields, outcome }), storeAway };
      }),
    );
}

type OwnOutcome = Outcome & { readonly storeAway?: unknown };

async function answerParameter(
  { type, work }: PlannedParameter,
  { websiteIds, organizationId, monitorId, linkId }: Project,
  reader: CallReader,
  call: CallContext,
): Promise<OwnOutcome> {
  // Parameters that are answered without a read would otherwise follow one another without a pause.
  if (sliceIsOver()) await nextSlice();
  if ("error" in work) return work;
  if (monitorId !== undefined && type.table !== "uptime_checks")
    return { error: `${type.name} is not about a monitor. Send website_id instead of schedule_id` };
  if (linkId !== undefined && type.table !== "link_clicks")
    return { error: `${type.name} is not about a short link. Send website_id instead of link_id` };
  const eventShare = call.app.largeWebsites.shareOf(websiteIds);
  try {
    reader.requireTime();
    const plan = { ...work, websiteIds, eventShare, organizationId, monitorId, linkId };
    return { rows: await runParameter(plan, reader, unsettledRangesIn(call.app)) };
  } catch (failure) {
    if (failure instanceof AnswerRefusal || failure instanceof ReadLimitError) return { error: failure.message };
    // The call cannot go on: it was given up, or others' queries come first.
    if (failure instanceof ApiError) throw failure;
    call.app.log.error({ requestId: call.requestId, queryType: type.name, err: failure }, "query parameter failed");
    const error = "The query could not be executed. Try again or narrow the range";
    return isStoreAway(failure) ? { error, storeAway: failure } : { error };
  }
}

/** Holds answers of a store that is away back until one of a store that is there comes; if none does, the whole call fails. */
async function* unlessAllAway<T>(
  answers: AsyncIterable<{ readonly shaped: T; readonly storeAway: unknown }>,
): AsyncGenerator<T> {
  let held: T[] | undefined = [];
  let cause: unknown;
  for await (const { shaped, storeAway } of answers) {
    if (held !== undefined && storeAway !== undefined) {
      held.push(shaped);
      cause ??= storeAway;
      continue;
    }
    if (held !== undefined) yield* held;
    held = undefined;
    yield shaped;
  }
  if (held !== undefined && held.length > 0)
    throw new ApiError("SERVICE_UNAVAILABLE", "The event store does not answer. Try again in a few seconds", {
      headers: { "retry-after": "5" },
      cause,
    });
}
