import { eachInSlices } from "../../concurrency/timeSlices.ts";
import { detail, Problems, quoted } from "../../errors/problems.ts";
import type { AnalyzeFunnelReply, FunnelSplitInit, FunnelStepResultInit } from "../../gen/lookout/services.ts";
import type { AnalyzeFunnelRequest, Funnel } from "../../gen/lookout/v1/funnels_pb.ts";
import { percent } from "../../text/percent.ts";
import type { TimeRange } from "../../time/dates.ts";
import { type CallReader, readerOf } from "../answer/callReader.ts";
import { countValues, requireFewFilterValues } from "../filters/filterWork.ts";
import { stepMask } from "../goals/stepMask.ts";
import { countStepValues, readSteps, type Step } from "../goals/steps.ts";
import { findAbsentValues, valuesOfSteps } from "../hints/absentValues.ts";
import { findUnsentNames, namesOfFilters, namesOfSteps } from "../hints/unsentNames.ts";
import { readSplit } from "../plan/readSplit.ts";
import type { QueryCall } from "../queryCall.ts";
import { Top } from "../shapes/top.ts";
import { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { labelled } from "../sql/grouped.ts";
import { textsOf } from "../visits/visitColumns.ts";
import { type EventValues, eventsOfVisits, selectedVisits } from "../visits/visitEvents.ts";
import type { VisitScope } from "../visits/visitsSql.ts";
import { readScope, requireWebsite, visitsOf } from "./eventScope.ts";
import { FunnelCounter, type StepCount } from "./funnelCounter.ts";
import { lowerMedian } from "./lowerMedian.ts";

const defaultWindow = "P7D";
const maxWindowMs = 366 * 86_400_000;
const defaultSplitLimit = 10;

/**
 * POST /v1/query/funnel: how many visitors take the steps in order, by the rules of FunnelCounter. Visitors without an
 * id are left out; all steps lie within the range.
 *
 * Throws VALIDATION_ERROR or INVALID_DATE_PRESET, MISSING_WEBSITE_ID, ACCESS_DENIED, and QUERY_ERROR for too much data.
 */
export async function analyzeFunnel(
  { funnel, websiteId, timezone }: AnalyzeFunnelRequest,
  call: QueryCall,
): Promise<AnalyzeFunnelReply> {
  if (funnel === undefined) throw new Error("the contract lets no request without a funnel pass");
  const problems = new Problems();
  const scope = readScope(funnel, timezone, Date.now(), problems);
  const steps = readSteps(funnel.steps, "steps", problems);
  const windowMs = readWindow(funnel.window, problems);
  const split = readSplit(funnel.splitBy, "splitBy", problems);
  problems.throwIfAny();
  requireFewFilterValues(countStepValues(funnel.steps) + countValues(funnel.filters), call);
  const websiteIds = await requireWebsite(websiteId, call);
  const counter = new FunnelCounter(steps.length, windowMs);
  const shared = readerOf(call, websiteIds);
  const reader = shared.over(scope.range);
  const { sql, values } = funnelStatement(
    await visitsOf(scope, websiteIds, reader, call, { split, steps }),
    steps,
    split,
  );
  await reader.readEach(sql, values, ([visitor, timeUs, mask, value]) =>
    counter.add(visitor ?? "", Number(timeUs), Number(mask), value ?? ""),
  );
  const { total, byValue } = counter.finish();
  const read = { websiteIds, range: scope.range };
  return {
    success: true,
    requestId: call.requestId,
    ...(await figuresOf(steps, total)),
    splits: split === undefined ? [] : await splitsOf(funnel, steps, byValue),
    hints: await hintsOf(funnel, total, read, shared),
  };
}

/** Possible reasons why no visitor took a step. */
async function hintsOf(
  { steps, filters }: Funnel,
  counts: readonly StepCount[],
  read: { readonly websiteIds: readonly string[]; readonly range: TimeRange },
  shared: CallReader,
) {
  const placeOf = (index: number) => `steps[${index}].`;
  const takenBy = (index: number) => counts[index]?.visitors ?? 0;
  const names = [...namesOfFilters(filters, ""), ...namesOfSteps(steps, placeOf)];
  const values = valuesOfSteps(
    steps.map((step, index) => ({ filters: step.filters, taken: takenBy(index), at: placeOf(index) })),
    { filters, visitors: takenBy(0) },
  );
  const found = [findUnsentNames(names, read, shared), findAbsentValues(values, "events", read, shared)];
  return (await Promise.all(found)).flat();
}

function readWindow(text: string, problems: Problems): number {
  const windowMs = parseIsoDuration(text === "" ? defaultWindow : text);
  if (windowMs !== undefined && windowMs > 0 && windowMs <= maxWindowMs) return windowMs;
  const message = `must be an ISO 8601 duration such as PT30M or P7D, at most P366D, not ${quoted(text)}`;
  problems.add(detail("window", message));
  return 0;
}

/**
 * The events that match any step, by visitor and time: visitor_key, microseconds, a bit for each step, the value of the
 * split.
 */
function funnelStatement(scope: VisitScope, steps: readonly Step[], split: Field | undefined) {
  const bindings = new Bindings();
  const mask = stepMask(steps, bindings);
  const texts = [...new Set([...(split?.isOfVisit === true ? textsOf([split]) : []), ...mask.texts])];
  const ofEvent: EventValues["values"] =
    split === undefined || split.isOfVisit === true ? {} : { value: labelled(split) };
  const events = eventsOfVisits(
    { ...scope, filters: [] },
    "events",
    { values: { ...mask.values, ...ofEvent }, texts },
    [],
    bindings,
    selectedVisits(scope, texts, bindings),
  );
  const value = split?.isOfVisit === true ? `coalesce(visit_${split.column}, '${split.whenEmpty}')` : "value";
  const firstValue = split === undefined ? "" : `, CASE WHEN mask % 2 = 1 THEN ${value} ELSE '' END AS value`;
  const sql =
    `SELECT visit_visitor_key, ts::long AS time_us, mask${firstValue} FROM (${mask.of(events)}) ` +
    "WHERE mask > 0 AND visit_visitor_key != null ORDER BY visit_visitor_key, ts";
  return { sql, values: bindings.values };
}

async function figuresOf(steps: readonly Step[], counts: readonly StepCount[]) {
  const visitors = counts[0]?.visitors ?? 0;
  const converted = counts[steps.length - 1]?.visitors ?? 0;
  const results: FunnelStepResultInit[] = [];
  for (const [index, { name }] of steps.entries()) results.push(await stepResult(name, counts, index));
  return { visitors, converted, conversionRate: percent(converted, visitors), steps: results };
}

async function stepResult(name: string, counts: readonly StepCount[], index: number): Promise<FunnelStepResultInit> {
  const visitors = counts[index]?.visitors ?? 0;
  const first = counts[0]?.visitors ?? 0;
  const before = index === 0 ? first : (counts[index - 1]?.visitors ?? 0);
  const medianUs = await lowerMedian(counts[index]?.waitsUs ?? []);
  return {
    name,
    visitors,
    conversionRate: percent(visitors, first),
    stepConversionRate: percent(visitors, before),
    dropped: before - visitors,
    dropOffRate: percent(before - visitors, before),
    // From whole microseconds: halves of seconds' hundredths are not exact as numbers.
    ...(medianUs === undefined ? {} : { medianSeconds: Math.round(medianUs / 10_000) / 100 }),
  };
}

async function splitsOf(
  { splitLimit = defaultSplitLimit }: Funnel,
  steps: readonly Step[],
  byValue: ReadonlyMap<string, readonly StepCount[]>,
) {
  const visitorsOf = (counts: readonly StepCount[]) => counts[0]?.visitors ?? 0;
  const top = new Top<readonly [string, readonly StepCount[]]>(
    splitLimit,
    ([a, countsA], [b, countsB]) => visitorsOf(countsB) - visitorsOf(countsA) || (a < b ? -1 : 1),
  );
  await eachInSlices(byValue, (entry) => top.add(entry));
  const splits: FunnelSplitInit[] = [];
  for (const [value, counts] of top.items) splits.push({ value, ...(await figuresOf(steps, counts)) });
  return splits;
}

/** Weeks, days, hours, minutes and seconds (ISO 8601-1, 5.5.2); months and years have no fixed length. */
const pattern = /^P(?=\d|T\d)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})S)?)?$/;

const unitsMs = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000] as const;

/** A duration such as PT30M or P7D in ms; a day has 24 hours. Undefined for any other text. */
function parseIsoDuration(text: string): number | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  return unitsMs.reduce((sum, unitMs, index) => sum + Number(match[index + 1] ?? 0) * unitMs, 0);
}
