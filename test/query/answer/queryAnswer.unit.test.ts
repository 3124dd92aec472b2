import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { codecOf } from "../../../src/call/codecOf.ts";
import { AnswerHintSchema, QueryAnswerSchema, QueryBatchAnswerSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import {
  type AnsweredParameter,
  type AnswerFrame,
  answerMessage,
  answerTexts,
  collect,
  parameterTexts,
} from "../../../src/query/answer/queryAnswer.ts";

const range = { startMs: 0, endMs: 1_000 };
const unknown = [{ ...range, reason: "erased" as const }];
const comparison = { range, unknown, isComplete: false, rows: [{ path: '"ü', views: null }] };

const answered: AnsweredParameter[] = [
  { label: "pages", fields: [], outcome: { rows: [{ path: '/\u2028"ä', views: 1, share: null }] } },
  { label: "compared", fields: [], outcome: { rows: [{ path: '"ü', views: 2 }], comparison } },
  { label: "compared with nothing", fields: [], outcome: { rows: [], comparison: { ...comparison, rows: [] } } },
  { label: 'a","data":[]', fields: [], outcome: { error: 'no "such" field' } },
  { label: "", fields: [], outcome: { rows: [] } },
];

const metaOf = (total: number) => ({ parameters: [], totalParameters: total, page: 1, limit: 100, filtersApplied: 0 });
const isConsistent = async () => false;
const hint = { field: "filters[0].value", message: 'did you mean "ä"?', suggestion: "ä" };
const hints = async () => [create(AnswerHintSchema, hint)];

const single: AnswerFrame = {
  isConsistent,
  requestId: "req_1",
  isBatch: false,
  queries: [{ queryId: 'q"],"data":[', meta: metaOf(5), hints, parameters: 5 }],
};
const batch: AnswerFrame = {
  isConsistent,
  requestId: "req_1",
  isBatch: true,
  queries: [
    { queryId: "one", meta: metaOf(1), hints, parameters: 1 },
    { queryId: "", meta: metaOf(4), hints, parameters: 4 },
  ],
};

async function* each<T>(items: readonly T[]) {
  yield* items;
}

async function textOf(frame: AnswerFrame): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of answerTexts(frame, each(await Promise.all(answered.map(parameterTexts)))))
    pieces.push(piece);
  return pieces.join("");
}

test("4.1 a streamed answer equals, byte for byte, the answer serialized at once", async () => {
  const { single: whole } = await answerMessage(single, answered);
  expect(await textOf(single)).toBe(codecOf(QueryAnswerSchema).write(whole ?? {}));
  const { batch: wholeBatch } = await answerMessage(batch, answered);
  expect(await textOf(batch)).toBe(codecOf(QueryBatchAnswerSchema).write(wholeBatch ?? {}));
});

test("8 an answer over gRPC with too many rows is refused", async () => {
  const rows = Array.from({ length: 150_000 }, () => ({}));
  const large = [
    { label: "a", fields: [], outcome: { rows } },
    { label: "b", fields: [], outcome: { rows } },
  ];
  await expect(collect(each(large))).rejects.toMatchObject({ code: "QUERY_ERROR" });
});
