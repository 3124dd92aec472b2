import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { attacks } from "./attacks.ts";

let website: TestWebsite;

beforeAll(async () => {
  website = await createWebsite();
});

const days = { startDate: "2026-03-01", endDate: "2026-03-05" };
const count = [{ aggregate: "count" }];

/** Bodies with a text in one place, for each call. */
const bodies: Readonly<Record<string, (text: string) => readonly object[]>> = {
  "": (text) => [
    {
      parameters: ["pages", "entry_pages", "events"],
      ...days,
      filters: [{ field: "path", op: "contains", value: text }],
    },
    {
      parameters: ["summary_metrics", "browsers"],
      ...days,
      filters: [{ field: `properties.${text}`, op: "ne", value: text }],
    },
    {
      parameters: ["session_list", "countries"],
      ...days,
      filters: [{ field: "session_id", op: "in", value: [text, text] }],
    },
    { parameters: [{ name: "pages", id: text, granularity: text }], ...days },
    { parameters: [text], preset: text },
    {
      id: text,
      parameters: ["pages"],
      ...days,
      startDate: text,
      filters: [{ field: text, operator: text, value: text }],
    },
  ],
  "/compile": (text) => [
    { type: "pages", from: "2026-03-01", to: "2026-03-05", filters: [{ field: "path", op: "eq", value: text }] },
    { type: text, from: text, to: text, timeUnit: text, groupBy: [text], orderBy: text },
  ],
  "/custom": (text) => [
    {
      ...days,
      query: { table: "events", selects: count, filters: [{ field: "path", operator: "starts_with", value: text }] },
    },
    {
      ...days,
      query: {
        table: "events",
        selects: [{ field: "path", alias: text.slice(0, 64) }],
        groupBy: [`properties.${text}`],
      },
    },
    { ...days, query: { table: "events", selects: [{ field: `properties.${text}`, aggregate: "avg", alias: "a" }] } },
    { ...days, query: { table: text, selects: [{ field: text }], groupBy: [text] }, granularity: text },
  ],
};

describe("4.1, 4.4, 4.5 attack strings are treated as values or refused, and never cause an internal error", () => {
  for (const [call, bodiesOf] of Object.entries(bodies))
    test(`POST /v1/query${call}`, async () => {
      for (const attack of attacks)
        for (const body of bodiesOf(attack)) {
          const path = `/v1/query${call}?website_id=${website.websiteId}`;
          const answer = await send("POST", path, { body, apiKey: website.apiKey });
          const about = JSON.stringify(body).slice(0, 300);
          expect(answer.status, about).toBeLessThan(500);
          expect(answer.body, about).not.toMatchObject({ code: "QUERY_ERROR" });
          // A statement that the store refused would be answered with its error.
          expect(JSON.stringify(answer.body), about).not.toContain("could not be executed");
        }
    });
  test("ids and zones in the query string", async () => {
    for (const attack of attacks)
      for (const [call, body] of [
        ["", { parameters: ["pages"], ...days }],
        ["/compile", { type: "pages", from: "2026-03-01", to: "2026-03-05" }],
        ["/custom", { ...days, query: { table: "events", selects: count } }],
      ] as const) {
        const text = encodeURIComponent(attack.toWellFormed());
        for (const parameters of [
          `website_id=${text}`,
          `organization_id=${text}`,
          `website_id=${website.websiteId}&timezone=${text}`,
        ]) {
          const answer = await send("POST", `/v1/query${call}?${parameters}`, { body, apiKey: website.apiKey });
          expect(answer.status, `${call} ${parameters}`).toBeLessThan(500);
          if (call !== "/custom" || !parameters.includes("timezone"))
            expect(answer.status, parameters).toBeGreaterThanOrEqual(400);
        }
      }
  });
  test("gRPC", async () => {
    const client = createClient(QueryService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
    const options = { headers: { authorization: `Bearer ${website.apiKey}` } };
    const { websiteId } = website;
    for (const attack of attacks.map((text) => text.toWellFormed())) {
      const value = { kind: { case: "stringValue", value: attack } } as const;
      const filters = [{ field: "path", op: "contains", value }];
      const condition = { field: `properties.${attack}`, operator: "eq", value };
      const range = { from: "2026-03-01", to: "2026-03-05" };
      const answers = await Promise.allSettled([
        client.query({ websiteId, query: { parameters: [{ name: "pages" }], ...days, filters } }, options),
        client.query({ websiteId, timezone: attack, query: { parameters: [{ name: attack }], ...days } }, options),
        client.compileQuery({ websiteId, query: { type: "pages", ...range, filters } }, options),
        client.compileQuery({ websiteId, query: { type: attack, ...range, groupBy: [attack] } }, options),
        client.customQuery(
          { websiteId, query: { ...days, query: { table: "events", selects: count, filters: [condition] } } },
          options,
        ),
        client.customQuery({ websiteId, query: { ...days, query: { table: attack, selects: count } } }, options),
      ]);
      for (const answer of answers)
        if (answer.status === "rejected")
          expect(ConnectError.from(answer.reason).code, attack).toBe(Code.InvalidArgument);
    }
  });
});
