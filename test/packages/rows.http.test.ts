import { beforeAll, describe, expect, inject, test } from "vitest";
import { type FieldKind, rowType } from "../../codegen/client/rowTypes.ts";
import {
  createLookout,
  type FilterField,
  type Lookout,
  type QueryTypeName,
} from "../../packages/client-js/src/node.ts";
import { catalogue } from "../../src/query/catalogue/catalogue.ts";
import { create, follow } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { whenStored } from "../kit/stores/whenStored.ts";

const { baseUrl } = inject("lookout");

let lookout: Lookout;
let linkId: string;

/** One item of each kind with everything that it may have, and one with as little as possible. */
beforeAll(async () => {
  const website = await createWebsite();
  const { websiteId, apiKey } = website;
  lookout = createLookout({ baseUrl, apiKey, websiteId });
  const ids = { anonymousId: "ann", sessionId: "s1", path: "/a" };
  const utm = { utm_source: "s", utm_medium: "m", utm_campaign: "c", utm_term: "t", utm_content: "x" };
  const figures = {
    load_time: 5,
    dom_ready_time: 4,
    ttfb: 1,
    time_on_page: 20,
    scroll_depth: 50,
    interaction_count: 2,
  };
  const page = {
    title: "A",
    referrer: "https://www.google.com/",
    language: "en",
    timezone: "UTC",
    viewport_size: "1x2",
  };
  const properties = { plan: "pro", seats: 3, deep: { list: [1, null] } };
  const accepted = { apiKey, headers: { "user-agent": "Mozilla/5.0 (X11; Linux x64) Chrome/140.0.0.0 Safari/537.36" } };
  const post = async (path: string, body: unknown) => {
    const answer = await send("POST", `${path}?website_id=${websiteId}`, { ...accepted, body });
    const { results } = answer.body as { results: { status: string; message?: string }[] };
    expect(
      results.filter(({ status }) => status !== "success"),
      path,
    ).toEqual([]);
  };
  await post("/batch", [
    { ...ids, ...utm, ...figures, ...page, name: "page_view" },
    { ...ids, name: "page_exit", ...figures },
    { ...ids, name: "signup", properties },
    { name: "page_view", path: "/b", properties: { notFound: true } },
    { name: "bare" },
    {
      type: "outgoing_link",
      payload: { ...ids, eventId: "out", href: "https://docs.example/x", text: "Docs", properties },
    },
    { type: "outgoing_link", payload: { eventId: "out2", href: "https://docs.example/y" } },
  ]);
  const metrics = ["LCP", "FID", "CLS", "TTFB", "FCP", "INP", "FPS", "load_time", "dom_ready_time", "render_time"];
  await post("/vitals", [
    ...metrics.map((metricName) => ({ ...ids, metricName, metricValue: 1.5 })),
    { metricName: "LCP", metricValue: 1, path: "/bare" },
  ]);
  await post("/errors", [
    { ...ids, message: "no", errorType: "TypeError", filename: "a.js", lineno: 1, colno: 2, stack: "at a" },
    { message: "bare" },
  ]);
  const call = { provider: "openai", model: "gpt-4o" };
  await post("/llm", [
    {
      ...call,
      type: "generate",
      durationMs: 20,
      finishReason: "stop",
      httpStatus: 500,
      traceId: "t1",
      usage: { inputTokens: 3, outputTokens: 2, cachedInputTokens: 1, reasoningTokens: 1, webSearchCount: 1 },
      cost: { inputUsd: 0.1, outputUsd: 0.1, totalUsd: 0.2 },
      tools: { callCount: 1, resultCount: 1, names: ["search"] },
      error: { name: "Timeout", message: "late", stack: "at" },
    },
    call,
  ]);
  const bot = { "user-agent": "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)" };
  const view = { name: "page_view", path: "/a" };
  expect((await send("POST", `/batch?website_id=${websiteId}`, { headers: bot, body: [view] })).status).toBe(200);
  const link = await create({ websiteId }, website);
  linkId = link.id;
  await follow(link.slug);
});

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whether a value is one of the kind. */
const isOfKind: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  time: (value) => typeof value === "string" && instant.test(value),
  count: Number.isSafeInteger,
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  object: (value) => typeof value === "object" && !Array.isArray(value),
  array: Array.isArray,
  nothing: () => false,
};

describe("4.2 rows have the fields of their types, null only where the type says so", () => {
  const empty: string[] = [];

  test("what was sent is stored", async () => {
    await whenStored({ baseUrl });
    // QuestDB shows rows some time after it has committed them.
    const pages = async () => (await lookout.query({ preset: "today", parameters: ["top_pages"] })).data[0].data;
    await expect.poll(pages).toHaveLength(2);
    // What was left out is written every few seconds.
    const systems = async () => (await lookout.query({ preset: "today", parameters: ["ai_systems"] })).data[0].data;
    await expect.poll(systems).toHaveLength(1);
  });

  test.each([...catalogue.values()])("$name", async (type) => {
    const { name, table, requiredFilter } = type;
    const { data } = await lookout.query({
      preset: "today",
      parameters: [name as QueryTypeName],
      goal: { event: "signup", value: { property: "seats" } },
      ...(table === "link_clicks" ? { linkId } : {}),
      ...(requiredFilter === undefined
        ? {}
        : { filters: [{ field: requiredFilter as FilterField, op: "eq", value: "ann" }] }),
    });
    const [answer] = data;
    if (!answer?.success) throw new Error(answer?.error);
    if (answer.data.length === 0) empty.push(name);
    const { fields } = rowType(type);
    for (const row of answer.data) {
      expect(Object.keys(row)).toEqual(fields.map((field) => field.name));
      const values: unknown[] = Object.values(row as object);
      for (const [index, { name, kind, mayBeNull }] of fields.entries())
        expect(values[index], `${name}, ${kind}`).toSatisfy((value) =>
          value === null ? mayBeNull : isOfKind[kind](value),
        );
    }
  });

  test("almost all of them had rows", () => {
    expect(empty.filter((name) => !name.startsWith("uptime_"))).toEqual([]);
  });
});
