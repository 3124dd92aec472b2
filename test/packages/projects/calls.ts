// What a service does with @lookout/client, over the protocol in argv. The test compiles and runs it outside the repository.
import assert from "node:assert/strict";
import { createLookout, each, eachRow, LookoutError, responseOf } from "@lookout/client";
import type { Link } from "@lookout/client/v1/links";

const { BASE = "", KEY = "", WEBSITE = "" } = process.env;
const protocol = process.argv[2] as "connect" | "grpc" | "grpc-web";
const lookout = createLookout({ baseUrl: BASE, apiKey: KEY, websiteId: WEBSITE, protocol });

// Sends.
const dropped: string[] = [];
const sender = createLookout({
  baseUrl: BASE,
  apiKey: KEY,
  websiteId: WEBSITE,
  protocol,
  events: {
    onDropped: (events, { code, details }) => dropped.push(`${events[0]?.name} ${code} ${details[0]?.field}`),
  },
});
const path = `/${protocol}`;
sender.events.track({ name: "page_view", eventId: `view ${protocol}`, path, anonymousId: "v", sessionId: protocol });
sender.events.track({ name: "page_view", eventId: `view ${protocol}`, path, anonymousId: "v", sessionId: protocol });
sender.events.track({ name: "too old", timestamp: 1, path });
await sender.close();
assert.deepEqual(dropped, ["too old VALIDATION_ERROR timestamp"]);

// Streams, and so sees the event as soon as it is stored.
const filters = [{ field: "path", op: "eq", value: path }] as const;
for await (const { data } of lookout.watch({ preset: "today", parameters: ["summary_metrics"], filters })) {
  assert(data[0].success);
  if (data[0].data[0]?.pageviews === 1) break;
}

// Queries, with typed rows.
const { data, requestId } = await lookout.query({
  preset: "today",
  parameters: ["summary_metrics", { name: "top_pages", id: "pages" }],
  filters,
});
assert.match(requestId, /^req_/);
const [summary, pages] = data;
assert(summary.success && pages.success);
assert.equal(summary.data[0]?.pageviews, 1);
assert.equal(pages.parameter, "pages");
assert.deepEqual(
  pages.data.map(({ path, views }) => ({ path, views })),
  [{ path, views: 1 }],
);

// Other calls, with their generated types.
const created = await lookout.links.createLink({ targetUrl: "https://example.com/", websiteId: WEBSITE });
const link: Link | undefined = created.link;
assert.equal(link?.targetUrl, "https://example.com/");
assert.match(responseOf(created)?.requestId ?? "", /^req_/);

// Reads lists and rows to their end, a page at a time.
const expiresAt = new Date(Date.now() + 3_600_000);
await lookout.links.createLink({ targetUrl: "https://example.com/", websiteId: WEBSITE, expiresAt });
const links: Link[] = [];
for await (const one of each(lookout.links.listLinks, { websiteId: WEBSITE, limit: 1 })) links.push(one);
assert(links.length >= 2 && links.some(({ id }) => id === link?.id));
const paths: string[] = [];
const pagesOf = { preset: "today", parameters: ["top_pages"], filters, limit: 1 } as const;
for await (const row of eachRow(lookout, pagesOf)) paths.push(row.path);
assert.deepEqual(paths, [path]);

/** The LookoutError of a call. */
async function errorOf(call: Promise<unknown>): Promise<LookoutError> {
  const error = await call.then(
    () => assert.fail("the call should have failed"),
    (thrown: unknown) => thrown,
  );
  assert(error instanceof LookoutError);
  return error;
}

// Receives typed errors.
const name = "top_pagse" as "top_pages";
const unknown = await errorOf(lookout.query({ preset: "today", parameters: [name] }));
assert.equal(unknown.code, "VALIDATION_ERROR");
assert.match(unknown.requestId ?? "", /^req_/);
assert.equal(unknown.details[0]?.field, "parameters[0]");
assert.match(unknown.details[0]?.message ?? "", /did you mean "top_pages"\?/);
assert.equal(unknown.details[0]?.suggestion, "top_pages");

const stranger = createLookout({ baseUrl: BASE, apiKey: "wrong", websiteId: WEBSITE, protocol });
const refused = await errorOf(stranger.query({ preset: "today", parameters: ["top_pages"] }));
assert.equal(refused.code, "INVALID_API_KEY");
assert.match(refused.message, /Check the apiKey of createLookout/);
await stranger.close();

const unreachable = createLookout({ baseUrl: "http://127.0.0.1:9", protocol, websiteId: WEBSITE });
assert.equal((await errorOf(unreachable.query({ preset: "today", parameters: ["top_pages"] }))).code, "UNREACHABLE");

// Events of a process that ends without close() are sent.
lookout.events.track({ name: "page_view", path: `/end-${protocol}`, anonymousId: "v", sessionId: protocol });
console.log("done");
