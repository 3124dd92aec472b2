import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { codecOf } from "../gateway/codecOf.ts";
import {
  ParameterResultSchema,
  QueryAnswerSchema,
  QueryBatchAnswerSchema,
  type QueryMetaSchema,
  type QueryResponseSchema,
  QueryResultSchema,
} from "../gen/lookout/v1/query_pb.ts";
import { ReadLimitError } from "../store/readFailure.ts";
import type { OutputField } from "./catalogue/queryType.ts";
import { mark, markedRows, textWithRows } from "./textWithRows.ts";

/** The answer to one parameter. */
export type AnsweredParameter = {
  readonly label: string;
  readonly fields: readonly OutputField[];
  readonly outcome: Outcome;
};

export type Outcome = { readonly rows: JsonObject[] } | { readonly error: string };

/** What stands around the answers to a query's parameters. */
export type QueryFrame = {
  readonly queryId: string;
  readonly meta: MessageInitShape<typeof QueryMetaSchema>;
  /** How many of the answers are this query's. */
  readonly parameters: number;
};

/** What stands around all of it; an answer to a batch has another form than one to a single query. */
export type AnswerFrame = { readonly requestId: string; readonly isBatch: boolean; readonly queries: QueryFrame[] };

/** Rows that an answer may have which is sent as one message; about 200 MB in memory. */
const maxRowsOfMessage = 200_000;

const markedParameter = codecOf(ParameterResultSchema).write({ parameter: mark });
const markedResult = codecOf(QueryResultSchema).write({ queryId: mark });

/** The text of a parameter's answer, in pieces that are written one by one: a list of events may be long. */
export async function parameterTexts(answered: AnsweredParameter): Promise<readonly string[]> {
  const { outcome } = answered;
  if (!("rows" in outcome) || outcome.rows.length === 0)
    return [codecOf(ParameterResultSchema).write(parameterResult(answered))];
  const text = codecOf(ParameterResultSchema).write(parameterResult({ ...answered, outcome: { rows: markedRows } }));
  return textWithRows(text, outcome.rows);
}

/** The JSON text of a whole answer in pieces, with the texts of its parameters, exactly as its codec would write it at once. */
export async function* answerTexts(
  frame: AnswerFrame,
  parameters: AsyncIterator<readonly string[]>,
): AsyncGenerator<string> {
  const [single] = frame.queries;
  if (!frame.isBatch && single !== undefined) {
    const { requestId } = frame;
    const { queryId, meta } = single;
    const answer = { success: true, requestId, queryId, data: [{ parameter: mark }], meta };
    yield* around(codecOf(QueryAnswerSchema).write(answer), markedParameter, parameters, single.parameters);
    return;
  }
  const answer = { success: true, requestId: frame.requestId, batch: true, results: [{ queryId: mark }] };
  const [before = "", after = ""] = codecOf(QueryBatchAnswerSchema).write(answer).split(markedResult);
  let separator = before;
  for (const { queryId, meta, parameters: count } of frame.queries) {
    yield separator;
    const result = codecOf(QueryResultSchema).write({ queryId, data: [{ parameter: mark }], meta });
    yield* around(result, markedParameter, parameters, count);
    separator = ",";
  }
  yield frame.queries.length === 0 ? before + after : after;
}

/** A text with the next `count` texts instead of its mark, separated by commas. */
async function* around(
  text: string,
  marked: string,
  texts: AsyncIterator<readonly string[]>,
  count: number,
): AsyncGenerator<string> {
  const [before = "", after = ""] = text.split(marked);
  let separator = before;
  for (let index = 0; index < count; index += 1) {
    const next = await texts.next();
    if (next.done) throw new Error("fewer parameters were answered than asked");
    yield separator;
    yield* next.value;
    separator = ",";
  }
  yield count === 0 ? before + after : after;
}

/** The whole answer as one message. Rejects with QUERY_ERROR when it has too many rows for that. */
export async function answerMessage(
  frame: AnswerFrame,
  parameters: AsyncIterable<AnsweredParameter>,
): Promise<MessageInitShape<typeof QueryResponseSchema>> {
  const results = resultsOf(frame, await collect(parameters), parameterResult);
  const { requestId } = frame;
  if (frame.isBatch) return { batch: { success: true, requestId, batch: true, results } };
  return { single: { success: true, requestId, ...results[0] } };
}

/** All answers together. Rejects with QUERY_ERROR when they have too many rows to be sent as one message. */
export async function collect(parameters: AsyncIterable<AnsweredParameter>): Promise<AnsweredParameter[]> {
  const all: AnsweredParameter[] = [];
  let rows = 0;
  for await (const answered of parameters) {
    rows += "rows" in answered.outcome ? answered.outcome.rows.length : 0;
    if (rows > maxRowsOfMessage)
      throw new ReadLimitError(
        "QUERY_ERROR",
        `An answer over gRPC holds at most ${maxRowsOfMessage.toLocaleString("en")} rows. Ask for fewer parameters at once`,
      );
    all.push(answered);
  }
  return all;
}

/** The answers by query, each in its form. */
export function resultsOf<T>(
  { queries }: AnswerFrame,
  answered: readonly AnsweredParameter[],
  form: (answered: AnsweredParameter) => T,
): { queryId: string; data: T[]; meta: QueryFrame["meta"] }[] {
  let end = 0;
  return queries.map(({ queryId, meta, parameters }) => {
    end += parameters;
    return { queryId, data: answered.slice(end - parameters, end).map(form), meta };
  });
}

function parameterResult({
  label: parameter,
  outcome,
}: AnsweredParameter): MessageInitShape<typeof ParameterResultSchema> {
  if ("rows" in outcome) return { parameter, success: true, data: outcome.rows };
  return { parameter, success: false, data: [], error: outcome.error };
}
