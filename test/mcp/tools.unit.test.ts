import { expect, test } from "vitest";
import { ApiError, type ErrorDetail } from "../../src/errors/errors.ts";
import { withoutCalls } from "../../src/mcp/answerTexts.ts";
import { readArguments } from "../../src/mcp/readArguments.ts";
import { listedTool, usualCharacters, withCommonInput } from "../../src/mcp/toolSchemas.ts";
import { requiredRange } from "../../src/mcp/tools/answeredRange.ts";
import { describedTypes } from "../../src/mcp/tools/describedTypes.ts";
import { toolPresets } from "../../src/mcp/tools/tool.ts";
import { tools } from "../../src/mcp/tools/tools.ts";
import { listQueryTypes } from "../../src/query/request/listQueryTypes.ts";

const types = async () => {
  const { configs } = await listQueryTypes({ includeMeta: true } as never, { requestId: "" } as never);
  return {
    configs: Object.fromEntries(
      Object.entries(configs ?? {}).map(([name, { allowedFilters, meta }]) => {
        const described = { ...meta, output_fields: meta?.outputFields, supports_goal: meta?.supportsGoal };
        return [name, { allowedFilters, meta: described }];
      }),
    ),
  };
};

test("without a search all types are named, in few characters", async () => {
  const all = describedTypes(await types(), { search: "", names: [] });
  expect(all).toMatchObject({ found: expect.any(Number), names: { pages: expect.arrayContaining(["top_pages"]) } });
  expect(JSON.stringify(all).length).toBeLessThan(usualCharacters);
});

test("named types have their columns with units, and their filters", async () => {
  expect(describedTypes(await types(), { search: "", names: ["summary_metrics"] })).toMatchObject({
    found: 1,
    types: [
      {
        name: "summary_metrics",
        columns: { bounce_rate: expect.stringContaining("(percent)") },
        filters: expect.arrayContaining(["country"]),
      },
    ],
  });
  expect(describedTypes(await types(), { search: "", names: ["top_pagse"] })).toMatchObject({
    found: 0,
    suggestion: "Did you mean top_pages?",
  });
});

test.each([
  ["campaign conversions", ["goal_conversions", "utm_campaigns"]],
  ["sign-ups by campaign", ["utm_campaigns"]],
  ["conversion", ["goal_conversions"]],
  ["goal", ["goal_conversions"]],
  ["signup", ["goal_conversions"]],
  ["custom events by campaign", ["custom_events", "utm_campaigns"]],
  ["slow pages on mobile", ["slow_pages", "vitals_by_page"]],
  ["where do people leave", ["exit_pages"]],
  ["new or returning visitors", ["visitor_types"]],
  ["zzz country", ["countries"]],
])("a search for %s finds types by any word", async (search, expected) => {
  const { types: found, suggestion } = describedTypes(await types(), { search, names: [] });
  const names = (found as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(expected));
  const isAboutGoals = /conversion|sign|goal|events by/.test(search);
  expect(String(suggestion).includes("The tool goals counts")).toBe(isAboutGoals);
});

test("a search says how to ask for speed and releases, and which words no type knows", async () => {
  const found = async (search: string) => {
    const { types: listed, suggestion } = describedTypes(await types(), { search, names: [] });
    return { first: (listed as { name: string }[])[0]?.name, suggestion: String(suggestion) };
  };
  for (const search of ["slowest page on phones", "fast pages", "LCP by page"]) {
    const { first, suggestion } = await found(search);
    expect(["vitals_by_page", "web_vitals_by_page", "slow_pages"], search).toContain(first);
    expect(suggestion).toContain('"value":"LCP"');
  }
  for (const search of ["release", "last deploy", "annotations", "version"])
    expect((await found(search)).suggestion).toContain('"value":"deploy"');
  expect((await found("profit margin per product")).suggestion).toContain("No type is about profit, margin");
  expect((await found("country visitors")).suggestion).toBe("undefined");
});

test("wrong arguments are all reported, with the closest name", () => {
  const input = {
    type: "object",
    properties: {
      websiteId: { type: "string", description: "Id." },
      limit: { type: "integer", minimum: 1, maximum: 5 },
    },
    required: ["websiteId"],
  } as const;
  expect(readArguments({ input }, { websiteId: "w", limit: null })).toEqual({ websiteId: "w" });
  const inherited = JSON.parse('{"__proto__": {"websiteId": "w"}, "constructor": 1}');
  expect(() => readArguments({ input }, inherited)).toThrow("__proto__ is unknown");
  try {
    readArguments({ input }, { websiteid: "w", limit: 6 });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).details).toEqual([
      { field: "websiteid", message: "is unknown; known are websiteId, limit", suggestion: "websiteId" },
      { field: "limit", message: "must be a whole number from 1 to 5" },
      { field: "websiteId", message: "is required. Id." },
    ]);
  }
});

test("an argument may have the name that the API gives it, but not beside the tool's own", () => {
  const input = { type: "object", properties: { types: { type: "array" }, websiteId: { type: "string" } } } as const;
  const tool = { input, synonyms: { parameters: "types" } };
  expect(readArguments(tool, { parameters: ["pages"], website_id: "w" })).toEqual({ types: ["pages"], websiteId: "w" });
  expect(detailsOf(() => readArguments(tool, { parameters: ["pages"], types: ["pages"] }))).toEqual([
    { field: "parameters", message: "means types, which is given too; leave one of them out" },
  ]);
});

test("incidents names all that is missing or wrong at once", () => {
  const tool = tools.find(({ name }) => name === "incidents");
  if (tool === undefined) return expect.unreachable();
  const given = { startDate: "yesterday-ish", dateTo: "2026-13-01", timezone: 1 };
  expect(detailsOf(() => readArguments(tool, given)).map(({ field }) => field)).toEqual([
    ...["startDate", "dateTo", "timezone", "monitorId"],
  ]);
});

test("a range that is needed and wrong is refused with all that is wrong", () => {
  const nowMs = Date.UTC(2026, 0, 31, 12);
  expect(requiredRange({ timezone: "Europe/Berlin" }, "last_7d", nowMs)).toEqual({
    from: "2026-01-25T00:00:00+01:00",
    until: "2026-02-01T00:00:00+01:00",
    timezone: "Europe/Berlin",
    now: "2026-01-31T13:00:00+01:00",
  });
  expect(requiredRange({ startDate: "2026-01-01", endDate: "2026-01-02" }, "last_7d", nowMs)).toEqual({
    from: "2026-01-01T00:00:00Z",
    until: "2026-01-03T00:00:00Z",
    timezone: "UTC",
  });
  const wrong = detailsOf(() => requiredRange({ preset: "last_7", timezone: "Europe/Berln" }, "last_7d", nowMs));
  expect(wrong).toMatchObject([{ suggestion: "Europe/Berlin" }, { suggestion: "last_7d" }]);
  expect(detailsOf(() => requiredRange({ preset: "last 3 months" }, "last_7d", nowMs))).toMatchObject([
    { suggestion: "last_90d" },
  ]);
  expect(detailsOf(() => requiredRange({ startDate: "2026-01-01" }, "last_7d", nowMs))).toMatchObject([
    { field: "endDate" },
  ]);
});

function detailsOf(work: () => unknown): readonly ErrorDetail[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error.details;
    throw error;
  }
  return expect.unreachable();
}

test("texts for people who call the API become texts for assistants", () => {
  expect(withoutCalls("There is none. GET /v1/query/websites lists those of the key")).toBe(
    "There is none. The tool list_websites lists those of the key",
  );
  expect(withoutCalls("It was deleted. Restore it with POST /websites/restore within 90 days")).toBe("It was deleted.");
  expect(withoutCalls("Nothing of the kind")).toBe("Nothing of the kind");
});

test("the list of tools fits into an assistant's memory, names no call of the API and each preset once", () => {
  const listed = tools.map(withCommonInput).map((tool) => listedTool(tool, 40_000));
  const text = JSON.stringify(listed);
  expect(text.length).toBeLessThan(30_000);
  expect(text).not.toMatch(/\b(GET|POST|PUT|DELETE) \//);
  for (const { name, description, inputSchema, outputSchema } of listed) {
    expect(description?.length, name).toBeLessThan(300);
    expect(inputSchema.properties, name).toHaveProperty("maxCharacters");
    expect(outputSchema?.type, name).toBe("object");
  }
  expect(toolPresets).toEqual([
    ...["today", "yesterday", "last_7d", "last_14d", "last_30d", "last_90d"],
    ...["this_week", "last_week", "this_month", "last_month", "this_year"],
  ]);
});
