import { create, type JsonObject } from "@bufbuild/protobuf";
import { codecOf } from "../../call/codecOf.ts";
import { ApiError, type ErrorDetail } from "../../errors/errors.ts";
import type { ParameterResultInit, QueryMetaInit, QueryReply } from "../../gen/lookout/services.ts";
import {
  type AnswerHint,
  ComparedRowsSchema,
  ParameterResultSchema,
  QueryAnswerSchema,
  QueryBatchAnswerSchema,
  QueryResultSchema,
} from "../../gen/lookout/v1/query_pb.ts";
import type { TimeRange } from "../../time/dates.ts";
import type { OutputField } from "../catalogue/queryType.ts";
import { shownTimes, type UnknownTime } from "../unknown/unknownTimes.ts";
import { encodeRows } from "./encodeRows.ts";
import { mark, markedRows, textWithRows } from "./textWithRows.ts";

/** The answer to one parameter. */
export type AnsweredParameter = {
  readonly label: string;
  readonly fields: readonly OutputField[];
  readonly outcome: Outcome;
};

export type Outcome =
  | { readonly rows: JsonObject[]; readonly comparison?: ComparedAnswer }
  | { readonly error: string; readonly detail?: ErrorDetail };

/** The answer about the range to compare with: a row for each row of the answer. */
export type ComparedAnswer = {
  readonly range: TimeRange;
  /** Whether so little of either range is unknown that totals may be compared. */
  readonly isComplete: boolean;
  readonly unknown: readonly UnknownTime[];
  readonly rows: JsonObject[];
};

/** The part of an answer around the parameters of a query. */
export type QueryFrame = {
  readonly queryId: string;
  readonly meta: QueryMetaInit;
  /** What to know about the answer; it is asked for once, after its parameters. Never rejects. */
  readonly hints: () => Promise<readonly AnswerHint[]>;
  /** How many of the answers belong to this query. */
  readonly parameters: number;
};

/** The part of an answer around all queries; a batch has another form than a single query. */
export type AnswerFrame = {
  readonly requestId: string;
  readonly isBatch: boolean;
  readonly queries: QueryFrame[];
  /** Whether everything answered so far is based on the same data. */
  readonly isConsistent: () => Promise<boolean>;
};

/** The most rows in an answer that is sent as one message: its bytes are copied in one event-loop tick at the end. */
const maxRowsOfMessage = 50_000;

const markedParameter = codecOf(ParameterResultSchema).write({ parameter: mark });
const markedResult = codecOf(QueryResultSchema).write({ queryId: mark });

/** The text of a parameter's answer, in pieces that are written one by one: a list of events may be long. */
export async function parameterTexts(answered: AnsweredParameter): Promise<readonly string[]> {
  const { outcome } = answered;
  if (!("rows" in outcome) || outcome.rows.length === 0)
    return [codecOf(ParameterResultSchema).write(parameterResult(answered))];
  const { rows, comparison } = outcome;
  const marked = comparison === undefined ? {} : { comparison: { ...comparison, rows: markedRows } };
  const text = codecOf(ParameterResultSchema).write(
    parameterResult({ ...answered, outcome: { rows: markedRows, ...marked } }),
  );
  return textWithRows(text, comparison === undefined ? [rows] : [rows, comparison.rows]);
}

/**
 * The JSON text of a whole answer in pieces, with the texts of its parameters, exactly as its codec would write it at
 * once.
 */
export async function* answerTexts(
  frame: AnswerFrame,
  parameters: AsyncIterator<readonly string[]>,
): AsyncGenerator<string> {
  const { requestId, isBatch, queries } = frame;
  const data = [{ parameter: mark }];
  const [single] = queries;
  if (!isBatch && single !== undefined) {
    const { queryId } = single;
    const write: WriteMeta = (meta) =>
      codecOf(QueryAnswerSchema).write({ success: true, requestId, queryId, data, meta });
    yield* around(write, frame, parameters, single);
    return;
  }
  const answer = { success: true, requestId, batch: true, results: [{ queryId: mark }] };
  const [before = "", after = ""] = codecOf(QueryBatchAnswerSchema).write(answer).split(markedResult);
  let separator = before;
  for (const query of queries) {
    const { queryId } = query;
    yield separator;
    yield* around((meta) => codecOf(QueryResultSchema).write({ queryId, data, meta }), frame, parameters, query);
    separator = ",";
  }
  yield queries.length === 0 ? before + after : after;
}

/** Writes the part of an answer around its parameters. */
type WriteMeta = (meta: QueryMetaInit) => string;

/**
 * A text with its mark replaced by the texts of a query's parameters, separated by commas. Whether these are consistent is known only at the
 * end, and so are the hints.
 */
async function* around(
  write: WriteMeta,
  { isConsistent }: AnswerFrame,
  texts: AsyncIterator<readonly string[]>,
  { meta, hints, parameters: count }: QueryFrame,
): AsyncGenerator<string> {
  const [before = ""] = write({ ...meta, consistent: true, hints: [] }).split(markedParameter);
  let separator = before;
  for (let index = 0; index < count; index += 1) {
    const next = await texts.next();
    if (next.done) throw new Error("fewer parameters were answered than requested");
    yield separator;
    yield* next.value;
    separator = ",";
  }
  const whole = { ...meta, consistent: await isConsistent(), hints: [...(await hints())] };
  const [, after = ""] = write(whole).split(markedParameter);
  yield count === 0 ? before + after : after;
}

/** The whole answer as one message; with `isBinary` its rows are only in binary form. */
export async function answerMessage(
  frame: AnswerFrame,
  answered: readonly AnsweredParameter[],
  isBinary = false,
): Promise<QueryReply> {
  const results = await resultsOf(frame, answered, isBinary ? encodedResult : parameterResult);
  const { requestId } = frame;
  if (frame.isBatch) return { batch: { success: true, requestId, batch: true, results } };
  return { single: { success: true, requestId, ...results[0] } };
}

/** All answers together. Rejects with QUERY_ERROR when they have too many rows to be sent as one message. */
export async function collect(parameters: AsyncIterable<AnsweredParameter>): Promise<AnsweredParameter[]> {
  const all: AnsweredParameter[] = [];
  let rows = 0;
  for await (const answered of parameters) {
    rows += rowsOf(answered.outcome);
    if (rows > maxRowsOfMessage)
      throw new ApiError(
        "QUERY_ERROR",
        `An answer over gRPC holds at most ${maxRowsOfMessage.toLocaleString("en")} rows. Ask for fewer parameters at once`,
      );
    all.push(answered);
  }
  return all;
}

function rowsOf(outcome: Outcome): number {
  return "rows" in outcome ? outcome.rows.length + (outcome.comparison?.rows.length ?? 0) : 0;
}

/** The answers grouped by query, each in its form. All of them must be there. */
export async function resultsOf<T>(
  { queries, isConsistent }: AnswerFrame,
  answered: readonly AnsweredParameter[],
  form: (answered: AnsweredParameter) => T | Promise<T>,
): Promise<{ queryId: string; data: T[]; meta: QueryFrame["meta"] }[]> {
  const consistent = await isConsistent();
  const formed: T[] = [];
  for (const one of answered) formed.push(await form(one));
  let end = 0;
  const results: { queryId: string; data: T[]; meta: QueryFrame["meta"] }[] = [];
  for (const { queryId, meta, hints, parameters } of queries) {
    end += parameters;
    const whole = { ...meta, consistent, hints: [...(await hints())] };
    results.push({ queryId, data: formed.slice(end - parameters, end), meta: whole });
  }
  return results;
}

const dataField = ParameterResultSchema.field.data.number;
const comparedDataField = ComparedRowsSchema.field.data.number;

async function encodedResult(answered: AnsweredParameter): Promise<ParameterResultInit> {
  const { label: parameter, outcome } = answered;
  if (!("rows" in outcome)) return parameterResult(answered);
  const { rows, comparison } = outcome;
  const result = create(ParameterResultSchema, { parameter, success: true });
  result.$unknown = await encodeRows(rows, dataField);
  if (comparison !== undefined) {
    result.comparison = create(ComparedRowsSchema, comparisonFrame(comparison));
    result.comparison.$unknown = await encodeRows(comparison.rows, comparedDataField);
  }
  return result;
}

function parameterResult({ label: parameter, outcome }: AnsweredParameter): ParameterResultInit {
  if (!("rows" in outcome)) return { parameter, success: false, data: [], ...outcome };
  const { rows, comparison } = outcome;
  if (comparison === undefined) return { parameter, success: true, data: rows };
  const compared = { ...comparisonFrame(comparison), data: comparison.rows };
  return { parameter, success: true, data: rows, comparison: compared };
}

/** What an answer says about the range to compare with, besides its rows. */
export function comparisonFrame({ range, isComplete, unknown }: Omit<ComparedAnswer, "rows">) {
  return {
    from: new Date(range.startMs).toISOString(),
    until: new Date(range.endMs).toISOString(),
    complete: isComplete,
    unknown: shownTimes(unknown),
  };
}
