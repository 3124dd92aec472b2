import { expect, test } from "vitest";
import { ApiError } from "../../src/errors/errors.ts";
import { readArguments } from "../../src/mcp/readArguments.ts";
import { listedTools } from "../../src/mcp/toolSchemas.ts";
import { describedTypes } from "../../src/mcp/tools/describedTypes.ts";
import { tools } from "../../src/mcp/tools/tools.ts";

const config = (title: string, ...columns: string[]) => ({
  allowedFilters: ["path"],
  meta: {
    title,
    description: "",
    category: "Pages",
    output_fields: columns.map((name) => ({ name, type: "string", label: name })),
  },
});
const answer = {
  configs: { top_pages: config("Top pages", "path", "views"), countries: config("Countries", "country", "visitors") },
  presets: ["today"],
};

test("without a search all types are named; with one those that hold all words are described", () => {
  expect(describedTypes(answer, { search: "", names: [] })).toEqual({
    types: [
      { name: "top_pages", title: "Top pages" },
      { name: "countries", title: "Countries" },
    ],
    found: 2,
    presets: ["today"],
  });
  expect(describedTypes(answer, { search: "Pages views", names: [] })).toMatchObject({
    found: 1,
    types: [{ name: "top_pages", columns: [{ name: "path" }, { name: "views" }], filters: ["path"] }],
  });
  expect(describedTypes(answer, { search: "", names: ["countries"] })).toMatchObject({
    types: [{ name: "countries" }],
  });
  expect(describedTypes(answer, { search: "contries", names: [] })).toMatchObject({
    found: 0,
    suggestion: "Did you mean countries?",
  });
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

test("every tool has a schema of its answer in which each reference leads somewhere, and fits into an assistant's memory", () => {
  const listed = listedTools(tools);
  for (const { name, outputSchema, description } of listed) {
    const text = JSON.stringify(outputSchema);
    const definitions = Object.keys((outputSchema?.["$defs"] ?? {}) as object);
    for (const [, reference = ""] of text.matchAll(/"#\/\$defs\/(\w+)"/g))
      expect(definitions, name).toContain(reference);
    expect(text, name).not.toContain("#/components/");
    expect(description?.length, name).toBeLessThan(300);
  }
  expect(JSON.stringify(listed).length).toBeLessThan(48_000);
});
