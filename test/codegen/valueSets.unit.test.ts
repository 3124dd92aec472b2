import { describe, expect, expectTypeOf, test } from "vitest";
import { namedTypes } from "../../codegen/client/namedTypes.ts";
import { restrictedMessages } from "../../codegen/client/restrictedMessages.ts";
import { constantName } from "../../codegen/client/valueNames.ts";
import { setsOf, type TextField, valueSets } from "../../codegen/client/valueSets.ts";
import { INTERVALS, LINK_METRICS, type Lookout } from "../../packages/client-js/src/node.ts";

const comment = "A comment.";

describe("sets of values", () => {
  test("have the contract's values, and name every field that has one of them", () => {
    const sets = new Map(valueSets().map((set) => [set.name, set]));
    expect(sets.get("LinkMetric")).toMatchObject({
      values: ["clicks", "uniqueVisitors", "conversionRate"],
      fields: ["QueryLinkAnalyticsRequest.metric"],
    });
    expect(sets.get("Interval")?.fields).toEqual([
      "CreateMonitorRequest.interval",
      "UpdateMonitorRequest.interval",
      "Monitor.interval",
    ]);
    expect(sets.get("DatePreset")?.values).toContain("last_7d");
  });

  const fields: readonly TextField[] = [
    { name: "A.kind", allowed: ["x", "y"] },
    { name: "B.kind", allowed: ["y", "x"] },
    { name: "C.kind", allowed: undefined },
  ];

  test("fields with the same values share a set", () => {
    const [set] = setsOf(fields, [{ name: "Kind", comment, values: "A.kind", alsoIn: ["C.kind"] }]);
    expect(set).toEqual({ name: "Kind", comment, values: ["x", "y"], fields: ["A.kind", "B.kind", "C.kind"] });
  });

  test.each([
    ["a restricted field without a name", [], /A\.kind allows x, y only: name this list/],
    ["a field that is not there", [{ name: "Kind", comment, values: "A.knd" }], /has no text A\.knd/],
    ["a field without a rule", [{ name: "Kind", comment, values: "C.kind" }], /Kind has no values/],
    [
      "two names for one list",
      [
        { name: "Kind", comment, values: "A.kind" },
        { name: "Sort", comment, values: "B.kind" },
      ],
      /A\.kind is in Kind and Sort/,
    ],
  ])("%s stops the generator", (_, names, message) => {
    expect(() => setsOf(fields, names)).toThrow(message);
  });

  test.each([
    ["LinkMetric", "LINK_METRICS"],
    ["Granularity", "GRANULARITIES"],
    ["CheckStatus", "CHECK_STATUSES"],
    ["ErasedData", "ERASED_DATA"],
    ["ApiKeyScope", "API_KEY_SCOPES"],
  ])("of %s the constant is %s", (name, constant) => {
    expect(constantName(name)).toBe(constant);
  });
});

test("generated messages have the sets' types, and the same descriptor", () => {
  const text = [
    'import type { Message } from "@bufbuild/protobuf";',
    'const file = fileDesc("string kind");',
    "/** @generated from message lookout.v1.A */",
    'export type A = Message<"lookout.v1.A"> & {',
    "  /**\n   * The kind; null without one.\n   * @generated from field: optional string kind = 1;\n   */\n  kind?: string | undefined;",
    "  /**\n   * @generated from field: repeated string kinds = 2;\n   */\n  kinds: string[];",
    "  /**\n   * @generated from field: string other = 3;\n   */\n  other: string;",
  ].join("\n");
  const sets = [{ name: "Kind", comment, values: ["x"], fields: ["A.kind", "A.kinds"] }];
  const restricted = restrictedMessages(text, namedTypes(sets));
  expect(restricted).toContain('import type { Kind } from "../../../valueSets.ts";');
  expect(restricted).toContain("  kind?: Kind | undefined;");
  expect(restricted).toContain("The kind; undefined without one.");
  expect(restricted).toContain("  kinds: Kind[];");
  expect(restricted).toContain("  other: string;");
  expect(restricted).toContain('fileDesc("string kind")');
});

/** Compiled by `npm run check:types`, which fails where a line below `@ts-expect-error` compiles. Not run. */
async function restricted(lookout: Lookout): Promise<void> {
  const monitored = { websiteId: "w", url: "https://example.com" };
  // @ts-expect-error an interval that does not exist
  await lookout.uptime.createMonitor({ ...monitored, interval: "7 parsecs" });
  // @ts-expect-error a misspelt metric
  await lookout.links.queryLinkAnalytics({ id: "l", metric: "clix" });
  // @ts-expect-error a misspelt preset
  await lookout.funnels.analyzeFunnel({ websiteId: "w", funnel: { steps: [], preset: "lst_7d" } });
  const exported = { websiteId: "w", startDate: "", endDate: "", format: "csv" } as const;
  // @ts-expect-error a kind of data that is not exported
  await lookout.data.createExport({ ...exported, dataTypes: ["outgoing_links"] });
  const { monitor } = await lookout.uptime.createMonitor({ ...monitored, interval: "5m", method: "HEAD" });
  // What an answer says can be sent again.
  if (monitor !== undefined) await lookout.uptime.updateMonitor({ id: monitor.id, interval: monitor.interval });
}

test("what the contract restricts does not compile with another value", () => {
  expectTypeOf(restricted).returns.resolves.toBeVoid();
  expect(INTERVALS).toContain("5m");
  expect(LINK_METRICS).toEqual(["clicks", "uniqueVisitors", "conversionRate"]);
});
