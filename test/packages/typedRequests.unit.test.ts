import { create } from "@bufbuild/protobuf";
import { expectTypeOf, test } from "vitest";
import { CreateLinkRequestSchema } from "../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import {
  EXPORTED_DATA,
  each,
  type Filter,
  type JsonObjectInput,
  type Lookout,
  type QueryFilterInit,
} from "../../packages/client-js/src/node.ts";

/** Compiled by `npm run check:types`, which fails where a line below `@ts-expect-error` compiles. Not run. */
async function typed(lookout: Lookout): Promise<void> {
  const { funnels, ingest, queries, links } = lookout;
  const goals = [{ action: { case: "page", value: { path: "/thanks" } } } as const];
  await funnels.analyzeGoals({ websiteId: "w", query: { preset: "last_7d", goals } });
  // @ts-expect-error a query without goals
  await funnels.analyzeGoals({ websiteId: "w", query: { preset: "last_7d" } });
  // @ts-expect-error a goal without a page or an event
  await funnels.analyzeGoals({ websiteId: "w", query: { goals: [{ name: "thanks" }] } });
  // @ts-expect-error a page without a path
  await funnels.analyzeGoals({ websiteId: "w", query: { goals: [{ action: { case: "page", value: {} } }] } });
  // @ts-expect-error a query without parameters
  await queries.query({ websiteId: "w", query: { preset: "today" } });
  // @ts-expect-error a parameter without a name
  await queries.query({ websiteId: "w", query: { parameters: [{ limit: 3 }] } });
  // @ts-expect-error an event without a name
  await ingest.track({ websiteId: "w", events: [{ path: "/" }] });
  // @ts-expect-error a misspelt member
  await links.createLink({ targetUrl: "", clickLimits: 3 });

  // A message is taken too.
  await links.createLink(create(CreateLinkRequestSchema, { targetUrl: "" }));
}

/** As of a program of its own: interfaces have no index signature. */
interface Address {
  readonly city: string;
  readonly lines?: readonly string[];
}
interface Order {
  readonly total: number;
  readonly coupon?: string | undefined;
  readonly address: Address;
  readonly items: readonly Address[];
}

/** Compiled as well. */
async function json({ events, ingest, uptime }: Lookout, order: Order, address: Address, text: string | undefined) {
  const track = (properties: JsonObjectInput) => events.track({ name: "order", properties });
  events.track({ name: "order", properties: order });
  events.track({ name: "order", properties: { ...order, text, list: [1, "a", null, [address]], deep: { address } } });
  await ingest.track({ websiteId: "w", events: [{ name: "order", properties: order }] });
  await uptime.createMonitor({ websiteId: "w", url: "https://a.example", interval: "5m", jsonParsingConfig: order });
  // @ts-expect-error a function
  track({ total: () => 1 });
  // @ts-expect-error a function in an object
  track({ deep: { list: [{ total: () => 1 }] } });
  // @ts-expect-error a method
  events.track({ name: "order", properties: { total() {} } });
  // @ts-expect-error a Date
  track({ at: new Date() });
  // @ts-expect-error a bigint
  track({ total: 1n });
  // @ts-expect-error a Map
  track({ totals: new Map([["a", 1]]) });
  // @ts-expect-error a Set
  track({ totals: new Set([1]) });
  // @ts-expect-error a promise
  track({ total: Promise.resolve(1) });
  // @ts-expect-error a symbol
  track({ total: Symbol("a") });
  // @ts-expect-error a function instead of an object
  track(() => 1);
  // @ts-expect-error a Date instead of an object
  track(new Date());
  // @ts-expect-error a Map instead of an object
  track(new Map<string, string>());
  // @ts-expect-error a list instead of an object
  track([1]);
  // @ts-expect-error a text instead of an object
  track("total");
}

/** Compiled as well. */
async function filters({ funnels, query, segments }: Lookout, key: string) {
  const ask = async (filter: Filter) =>
    await query({
      preset: "today",
      parameters: ["top_pages"],
      filters: [filter],
      goal: { event: "a", filters: [filter] },
    });
  await ask({ field: "utm_campaign", op: "eq", value: "spring" });
  await ask({ field: "properties.plan", op: "in", value: ["pro", 2] });
  await ask({ field: `properties.${key}`, op: "is_empty" });
  // @ts-expect-error a misspelt field
  await ask({ field: "utm_campain", op: "eq", value: "spring" });
  // @ts-expect-error a property without its prefix
  await ask({ field: key, op: "eq", value: "spring" });
  await query({ preset: "today", parameters: [{ name: "goal_conversions", splitBy: "utm_campaign" }] });
  // @ts-expect-error a field of single events
  await query({ preset: "today", parameters: [{ name: "goal_conversions", splitBy: "event_name" }] });
  const { segments: saved } = await segments.listSegments({ websiteId: "w" });
  const action = { case: "page", value: { path: "/" } } as const;
  const analyze = async (filter: QueryFilterInit) =>
    await funnels.analyzeFunnel({ funnel: { steps: [{ action, filters: [filter] }] } });
  // Filters of an answer go into a request as they are, and new ones need no form of protobuf.
  for (const filter of saved[0]?.filters ?? []) await analyze(filter);
  await analyze({ field: "country", op: "in", value: ["AT"] });
  // @ts-expect-error a misspelt field
  await analyze({ field: "contry", op: "eq", value: "AT" });
  // @ts-expect-error a value that filters do not take
  await analyze({ field: "country", op: "eq", value: true });
}

/** Compiled as well. */
async function optional(
  { links, query, watch, data, uptime, statusPage }: Lookout,
  signal: AbortSignal | undefined,
  ms: number | undefined,
) {
  await links.listLinks({}, { signal, timeoutMs: ms, headers: { "x-own": undefined } });
  // @ts-expect-error a header that is no text
  await links.listLinks({}, { headers: { "x-own": 5 } });
  const goal = { page: { path: "/", op: undefined }, value: { property: "total", currencyProperty: undefined } };
  await query({ preset: "today", parameters: ["top_pages"], goal }, { signal, timeoutMs: ms });
  watch({ preset: "today", parameters: ["top_pages"] }, { signal, timeoutMs: ms });
  for await (const _ of each(links.listLinks, {}, { signal })) return;
  // Lists may be those that nobody changes, such as the package's own.
  const days = { startDate: "2026-01-01", endDate: "2026-01-31" };
  await data.createExport({ websiteId: "w", ...days, format: "csv", dataTypes: EXPORTED_DATA });
  const regions: readonly string[] = ["eu"];
  await uptime.createMonitor({ websiteId: "w", url: "https://a.example", interval: "5m", regions });
  const groups = [{ name: "Shop", monitorIds: ["m"] }] as const;
  await statusPage.createStatusPage({ websiteId: "w", slug: "a", title: "A", groups });
}

test("what may be left out may be undefined, and lists may be readonly", () => {
  expectTypeOf(optional).returns.resolves.toBeVoid();
});

test("requests without nested members that the contract requires do not compile", () => {
  expectTypeOf(typed).returns.resolves.toBeVoid();
});

test("JSON may be of an interface, and what JSON does not have does not compile", () => {
  expectTypeOf(json).returns.resolves.toBeVoid();
});

test("filters name fields that there are", () => {
  expectTypeOf(filters).returns.resolves.toBeVoid();
});
