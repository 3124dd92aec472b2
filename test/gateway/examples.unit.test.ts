import { expect, test } from "vitest";
import { readExamples } from "./examples/exampleFile.ts";
import { document, operations } from "./examples/operations.ts";
import { problemsOf } from "./examples/schemaProblems.ts";
import { blanked, shownValues } from "./examples/shown.ts";

type Media = { example?: unknown; examples?: object };
type Answer = { headers?: { location?: { example?: unknown } }; content?: Record<string, Media> };
type Described = {
  operationId: string;
  summary?: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
};

const described = Object.values(document.paths).flatMap((verbs) => Object.values(verbs)) as unknown as Described[];
const examples = readExamples();

test("every operation has an example, and it is one of what the document says", () => {
  expect(Object.keys(examples).sort()).toEqual([...operations.keys()].sort());
  expect(Object.entries(examples).flatMap(([id, example]) => problemsOf(id, example))).toEqual([]);
});

test("every operation of the document has a summary, its scope, an example request, an example answer and its errors", () => {
  const lacks = described.flatMap((operation) => {
    const { operationId, summary = "", description, security, parameters = [], requestBody, responses } = operation;
    const [status = "", answer = {}] = Object.entries(responses).find(([code]) => /^[23]/.test(code)) ?? [];
    const media = Object.entries(answer.content ?? {});
    const isAnswered =
      answer.headers?.location?.example !== undefined ||
      media.some(
        ([type, { example }]) => example !== undefined || /^(image\/(?!svg)|application\/(?!json))/.test(type),
      );
    const scope = security.flatMap((way) => Object.values(way)).flat()[0];
    const bodies = Object.values(requestBody?.content ?? {});
    const errors = Object.entries(responses).filter(([code]) => /^[45]/.test(code));
    return [
      ...(summary === "" || summary.length > 160 || summary.includes("\n") ? ["summary"] : []),
      ...(scope === undefined || description.includes(scope) ? [] : ["scope"]),
      ...(parameters.every(({ in: place, example }) => place !== "path" || example !== undefined)
        ? []
        : ["path example"]),
      ...(bodies.every(({ example }) => example !== undefined) ? [] : ["request example"]),
      ...(isAnswered ? [] : [`answer example of ${status}`]),
      ...(errors.every(([, { content }]) => content?.["application/json"]?.examples !== undefined) && errors.length > 0
        ? []
        : ["errors"]),
    ].map((what) => `${operationId}: ${what}`);
  });
  expect(lacks).toEqual([]);
});

test("errors are sentences that a person understands, without a pattern", () => {
  const texts = Object.values(examples).flatMap(({ errors }) => errors.map(({ body }) => JSON.stringify(body)));
  expect(texts.filter((text) => /\^|\[[a-zA-Z0-9]-|\\\\|\$"/.test(text))).toEqual([]);
});

test("an example shows no id, time, address or secret of the run that made it, and the same for the same", () => {
  const nowMs = Date.UTC(2026, 10, 23, 10);
  const { request, response } = shownValues(nowMs, ["http://127.0.0.1:4711"]);
  const id = "4be0643f-1d98-473b-97cd-ca98a65347dd";
  const first = response({
    id,
    at: "2026-11-22T08:00:00.000Z",
    day: "2026-11-23",
    far: "2099-12-01T02:00:00Z",
    ms: nowMs,
    link: `http://127.0.0.1:4711/l/${id}`,
    key: "lk_abcdefghijklmnopqrstuvwxyz0123456789AB",
    list: [1, 2, 3, 4],
  });
  expect(first).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    at: "2026-03-01T08:00:00.000Z",
    day: "2026-03-02",
    far: "2099-12-01T02:00:00Z",
    ms: Date.UTC(2026, 2, 2, 10),
    link: expect.stringMatching(/^https:\/\/stats\.example\.com\/l\/[0-9a-f-]{36}$/),
    key: `lk_${"EXAMPLE".repeat(6).slice(0, 38)}`,
    list: [1, 2],
  });
  expect(JSON.stringify(first)).not.toContain(id);
  expect(request({ list: [1, 2, 3, 4] })).toEqual({ list: [1, 2, 3, 4] });
  expect(request(id)).toBe(Reflect.get(first as object, "id"));
  expect(blanked(shownValues(nowMs, []).request(id))).toBe(blanked(request("5be0643f-1d98-473b-97cd-ca98a65347dd")));
});
