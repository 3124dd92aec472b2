import { getOption } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { withoutKeys } from "../../codegen/client/clientServices.ts";
import { createLookout, LookoutError, type NodeLookoutOptions } from "../../packages/client-js/src/node.ts";
import { lenientCalls } from "../../packages/client-js/src/readRequest.ts";
import { createTestLookout } from "../../packages/client-js/src/testing/createTestLookout.ts";
import { method as methodJson } from "../../src/gen/gateway/v1/json_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";

/** A client at an address where nothing answers: a call that is refused before it is sent does not notice. */
function client(options: Partial<NodeLookoutOptions> = {}) {
  let tries = 0;
  const lookout = createLookout({
    baseUrl: "http://127.0.0.1:9",
    websiteId: "w",
    interceptors: [
      (next) => (request) => {
        tries += 1;
        return next(request);
      },
    ],
    ...options,
  });
  return { lookout, tries: () => tries };
}

const targetUrl = "https://example.com";
const query = { preset: "today", parameters: ["top_pages"] } as const;

describe.each(["connect", "grpc-web", "grpc"] as const)(
  "over %s a request is refused before it is sent",
  (protocol) => {
    test.each<[string, object, string, string | undefined]>([
      ["a number that is none", { clickLimit: Number.NaN }, "clickLimit must be a whole number, not NaN", undefined],
      ["a broken number", { clickLimit: 1.5 }, "clickLimit must be a whole number, not 1.5", undefined],
      [
        "a number out of range",
        { clickLimit: -1 },
        "clickLimit must be a whole number from 0 to 4294967295, not -1",
        undefined,
      ],
      ["a text for a number", { clickLimit: "10" }, 'clickLimit must be a number, not "10"', undefined],
      ["null", { expiresAt: null }, "expiresAt must be a string, not null", undefined],
      [
        "a member that does not exist",
        { expiresAtt: "2027-01-01" },
        "expiresAtt is no member of CreateLinkRequest; did you mean expiresAt?",
        "expiresAt",
      ],
    ])("%s of a call", async (_, members, message, suggestion) => {
      const { lookout, tries } = client({ protocol });
      const error = await lookout.links.createLink({ targetUrl, ...members }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(LookoutError);
      const [field = ""] = message.split(" ");
      expect(error).toMatchObject({ code: "VALIDATION_ERROR", isTemporary: false, message, details: [{ field }] });
      expect((error as LookoutError).details[0]?.suggestion).toBe(suggestion);
      expect(tries()).toBe(0);
      await lookout.close();
    });

    test.each<[string, object, string]>([
      [
        "a filter that is NaN",
        { filters: [{ field: "path", op: "eq", value: Number.NaN }] },
        "filters[0].value must be a value of JSON, not NaN",
      ],
      [
        "a filter of a goal",
        { goal: { event: "a", filters: [{ field: "path", op: "eq", value: 1n }] } },
        "goal.filters[0].value must be a value of JSON, not a bigint",
      ],
      ["parameters that are no list", { parameters: "top_pages" }, 'parameters must be a list, not "top_pages"'],
      ["no parameters", { parameters: undefined }, "parameters must be a list, not undefined"],
      ["filters that are no list", { filters: "a" }, 'filters must be a list, not "a"'],
      ["a filter that is null", { filters: [null] }, "filters[0] must be an object, not null"],
      [
        "a member of a goal's page that does not exist",
        { goal: { page: { paht: "/" } } },
        "goal.page.paht is no member of QueryGoalPage; did you mean path?",
      ],
      ["a goal that is null", { goal: null }, "goal must be an object, not null"],
      ["a broken limit", { limit: 1.5 }, "limit must be a whole number, not 1.5"],
      ["a text for a limit", { limit: "10" }, 'limit must be a number, not "10"'],
      ["a member that does not exist", { limmit: 3 }, "limmit is no member of Query; did you mean limit?"],
      [
        "a member of a parameter that does not exist",
        { parameters: [{ name: "top_pages", limitt: 3 }] },
        "parameters[0].limitt is no member of QueryParameter; did you mean limit?",
      ],
      [
        "a member of a goal that does not exist",
        { goal: { event: "a", nmae: "b" } },
        "goal.nmae is no member of QueryGoal; did you mean name?",
      ],
    ])("%s of a query and of a watch", async (_, members, message) => {
      const { lookout, tries } = client({ protocol });
      const [field = ""] = message.split(" ");
      const expected = {
        name: "LookoutError",
        code: "VALIDATION_ERROR",
        isTemporary: false,
        message,
        details: [{ field }],
      };
      const wrong = { ...query, ...members } as typeof query;
      await expect(lookout.query(wrong)).rejects.toMatchObject(expected);
      await expect(lookout.watch(wrong).next()).rejects.toMatchObject(expected);
      expect(tries()).toBe(0);
      await lookout.close();
    });
  },
);

test.each<[string, unknown, string]>([
  ["a Map", new Map([["a", 1]]), "must be a value of JSON, not an instance of Map: pass Object.fromEntries(map)"],
  ["a Set", new Set([1]), "must be a value of JSON, not an instance of Set: pass [...set]"],
  ["a promise", Promise.resolve(1), "must be a value of JSON, not an instance of Promise: await it first"],
  ["an expression", /a/, "must be a value of JSON, not an instance of RegExp"],
  ["a function", () => 1, "must be a value of JSON, not a function"],
  ["a bigint", 1n, "must be a value of JSON, not a bigint"],
  ["a symbol", Symbol("a"), "must be a value of JSON, not a symbol"],
])("%s in JSON is refused by its place", async (_, value, message) => {
  const { lookout, tries } = client();
  const properties = { deep: [{ value }] } as unknown as { readonly deep: string };
  const field = "events[0].properties.deep[0].value";
  await expect(lookout.ingest.track({ websiteId: "w", events: [{ name: "order", properties }] })).rejects.toMatchObject(
    {
      code: "VALIDATION_ERROR",
      details: [{ field, message }],
    },
  );
  expect(tries()).toBe(0);
  await lookout.close();
});

test("a value that is not in its list is named as in the query that was written", async () => {
  const lookout = createTestLookout({ rows: { top_pages: [] } });
  const wrong = { ...query, parameters: [{ name: "top_pages", granularity: "dayly" }] } as unknown as typeof query;
  const details = [{ field: "parameters[0].granularity", suggestion: "daily" }];
  await expect(lookout.query(wrong)).rejects.toMatchObject({ code: "VALIDATION_ERROR", details });
  await expect(lookout.watch(wrong).next()).rejects.toMatchObject({ code: "VALIDATION_ERROR", details });
});

test("filters of all calls take plain values, and those in the form of protobuf", async () => {
  const lookout = createTestLookout({ funnels: { analyzeFunnel: {} } });
  const action = { case: "page", value: { path: "/" } } as const;
  const values = ["AT", 7, ["AT", "DE"], { kind: { case: "stringValue", value: "AT" } }] as const;
  for (const value of values) {
    const filters = [{ field: "country", op: "eq", value: value as "AT" } as const];
    await lookout.funnels.analyzeFunnel({ funnel: { steps: [{ action, filters }] } });
  }
  const sent = lookout.calls.map(({ request }) => request);
  expect(sent).toMatchObject(
    ["AT", 7, ["AT", "DE"], "AT"].map((value) => ({ funnel: { steps: [{ filters: [{ value }] }] } })),
  );
  const filters = [{ field: "country", op: "eq", value: Number.NaN } as const];
  await expect(lookout.funnels.analyzeFunnel({ funnel: { steps: [{ action, filters }] } })).rejects.toMatchObject({
    details: [{ field: "funnel.steps[0].filters[0].value", message: "must be a value of JSON, not NaN" }],
  });
});

test("a test double refuses them alike, and drops the same events", async () => {
  const dropped: LookoutError[] = [];
  const lookout = createTestLookout(
    { links: { createLink: {} } },
    { events: { onDropped: (_, error) => dropped.push(error) } },
  );
  await expect(lookout.links.createLink({ targetUrl, clickLimit: Number.NaN })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ field: "clickLimit" }],
  });
  lookout.events.track({ name: "order", properties: { discount: Number.NaN } });
  lookout.events.track({ name: "order", properties: { discount: 1 } });
  await lookout.events.flush();
  expect(dropped).toMatchObject([{ code: "VALIDATION_ERROR", details: [{ field: "properties.discount" }] }]);
  expect([lookout.calls, lookout.sentEvents.length]).toEqual([[], 1]);
});

describe("the message of a value that the service refuses", () => {
  const interval = { field: "interval", message: "must be one of 1m, 5m", suggestion: "5m" };
  const unit = { field: "retry_unit", message: "must be one of s, ms", suggestion: "ms" };

  test.each<[string, LookoutError, string]>([
    [
      "says what was probably meant",
      new LookoutError("VALIDATION_ERROR", "interval must be one of 1m, 5m", { details: [interval] }),
      "interval must be one of 1m, 5m. Did you mean 5m?",
    ],
    [
      "says so of each field",
      new LookoutError("VALIDATION_ERROR", "2 fields are wrong", { details: [interval, unit] }),
      "2 fields are wrong. Did you mean 5m for interval, ms for retry_unit?",
    ],
    [
      "says so once",
      new LookoutError("VALIDATION_ERROR", 'interval is wrong; did you mean "5m"?', { details: [interval] }),
      'interval is wrong; did you mean "5m"?',
    ],
    [
      "says nothing without a suggestion",
      new LookoutError("VALIDATION_ERROR", "interval is wrong", { details: [{ field: "interval", message: "no" }] }),
      "interval is wrong",
    ],
  ])("%s", async (_, answered, message) => {
    const listLinks = () => {
      throw answered;
    };
    await expect(createTestLookout({ links: { listLinks } }).links.listLinks({})).rejects.toMatchObject({ message });
  });
});

test("analyses and structured queries are about the website of the client, unless they name one", async () => {
  const lookout = createTestLookout(
    {
      funnels: { analyzeGoals: {}, analyzeFunnel: {}, analyzeJourneys: {} },
      queries: { customQuery: {} },
      links: { listLinks: {} },
    },
    { websiteId: "own" },
  );
  const goals = [{ action: { case: "event", value: "signed_up" } } as const];
  await lookout.funnels.analyzeGoals({ query: { preset: "today", goals } });
  await lookout.funnels.analyzeGoals({ websiteId: "other", query: { preset: "today", goals } });
  await lookout.funnels.analyzeFunnel({ funnel: { preset: "today", steps: [...goals, ...goals] } });
  await lookout.funnels.analyzeJourneys({ query: { preset: "today", page: "/" } });
  await lookout.queries.customQuery({ query: {} as never });
  await lookout.links.listLinks({});
  const websites = lookout.calls.map(({ request }) => request["websiteId"]);
  expect(websites).toEqual(["own", "other", "own", "own", "own", undefined]);
});

test("calls of trackers leave out what they do not know, as the service does", async () => {
  const lookout = createTestLookout({ ingest: { track: { status: "success" } } });
  const event = { name: "a", anonymousId: "v", futureMember: 1, path: null };
  await lookout.ingest.track({ websiteId: "w", events: [event as never] });
  expect(lookout.calls).toHaveLength(1);
  const lenient = services
    .filter(({ name }) => !withoutKeys.includes(name))
    .flatMap(({ name, methods }) =>
      methods.filter((each) => getOption(each, methodJson).lenient).map(({ localName }) => `${name}.${localName}`),
    );
  expect([...lenientCalls].sort()).toEqual(lenient.sort());
});
