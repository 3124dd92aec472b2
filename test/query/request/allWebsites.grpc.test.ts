import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createLookout } from "../../../packages/client-js/src/node.ts";
import { QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";

const { baseUrl } = inject("lookout");

let owner: TestWebsite;
let second: string;
let third: string;
/** May read the first two websites. */
let limited: string;

const view = (visitor: string) => [{ name: "page_view", path: "/", anonymousId: visitor, sessionId: visitor }];

beforeAll(async () => {
  owner = await createWebsite();
  const add = async (name: string) => {
    const body = { name, domain: `${name}.example` };
    return ((await send("POST", "/websites/create", { apiKey: owner.apiKey, body })).body as { id: string }).id;
  };
  [second, third] = [await add("second"), await add("third")];
  const stranger = await createWebsite();
  for (const id of [owner.websiteId, second, third, stranger.websiteId])
    expect((await send("POST", `/batch?website_id=${id}`, { body: view("ann") })).status).toBe(200);
  limited = await createKey({ organizationId: owner.organizationId, websiteIds: [owner.websiteId, second] });
  const client = createLookout({ baseUrl, apiKey: owner.apiKey });
  const views = async () => {
    const { data } = await client.query({ ...all(), preset: "today", parameters: ["summary_metrics"] });
    return data[0].success ? data[0].data[0]?.pageviews : undefined;
  };
  await vi.waitFor(async () => expect(await views()).toBe(3), { timeout: 100_000, interval: 200 });
});

const all = () => ({ organizationId: owner.organizationId });
const query = { preset: "today", parameters: [{ name: "websites_today" }] };

describe.each([
  ["gRPC", createGrpcTransport({ baseUrl })],
  ["Connect", createConnectTransport({ baseUrl, httpVersion: "1.1" })],
] as const)("4.1 all websites that the caller may read, over %s", (_, transport) => {
  const client = createClient(QueryService, transport);

  test.each(["all", "two"] as const)("%s of them are answered without naming any", async (which) => {
    const headers = { "x-api-key": which === "all" ? owner.apiKey : limited };
    const wanted = which === "all" ? [owner.websiteId, second, third] : [owner.websiteId, second];
    const { single } = await client.query({ ...all(), query }, { headers });
    expect(single?.data[0]?.data.map((row) => row["website_id"]).sort()).toEqual(wanted.toSorted());
    const { data } = await client.queryColumns({ ...all(), query }, { headers });
    const [ids, visitors] = data[0]?.columns.map(({ values }) => values.value?.values) ?? [];
    expect([...(ids ?? [])].sort()).toEqual(wanted.toSorted());
    expect(visitors).toEqual(wanted.map(() => 1));
    const leave = new AbortController();
    for await (const { answer } of client.watch({ ...all(), query }, { headers, signal: leave.signal })) {
      expect(answer?.data[0]?.data.map((row) => row["website_id"]).sort()).toEqual(wanted.toSorted());
      break;
    }
    leave.abort();
  });
});

test("4.1 a watch of all websites answers again when one of them has new events", async () => {
  const client = createLookout({ baseUrl, apiKey: owner.apiKey });
  const added = await createWebsite();
  const seen: unknown[] = [];
  const leave = new AbortController();
  const watched = { organizationId: added.organizationId, preset: "today", parameters: ["websites_today"] } as const;
  const own = createLookout({ baseUrl, apiKey: added.apiKey });
  for await (const { data } of own.watch(watched, { signal: leave.signal })) {
    const visitors = data[0].success ? data[0].data[0]?.visitors : undefined;
    seen.push(visitors);
    if (visitors === 1) break;
    if (seen.length === 1) await send("POST", `/batch?website_id=${added.websiteId}`, { body: view("eve") });
  }
  leave.abort();
  expect(seen[0]).toBeNull();
  expect(seen.at(-1)).toBe(1);
  await expect(client.query(watched)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
});

test("4.1 the TypeScript client names several websites instead of its own", async () => {
  const client = createLookout({ baseUrl, apiKey: owner.apiKey, websiteId: third });
  const websiteIds = [owner.websiteId, second];
  const { data } = await client.query({ websiteIds, preset: "today", parameters: ["websites_today"] });
  if (!data[0].success) throw new Error(data[0].error);
  expect(data[0].data.map((row) => row.website_id).sort()).toEqual(websiteIds.toSorted());
});
