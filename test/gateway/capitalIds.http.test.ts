import { randomUUID } from "node:crypto";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, inject, test } from "vitest";
import { UptimeService } from "../../src/gen/lookout/v1/uptime_pb.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { pageView, sendEvents } from "../kit/calls/websiteCalls.ts";

const { baseUrl } = inject("lookout");

test("RFC 9562, section 4: ids of objects are read in capitals as well, in every place", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const capitals = websiteId.toUpperCase();
  const post = async (path: string, body: object) => {
    const answer = await send("POST", path, { body, apiKey });
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body as Record<string, string> & { window: { monitorIds: string[] } };
  };
  expect(await post("/websites/get", { id: capitals })).toMatchObject({ id: websiteId });
  const monitor = await post("/uptime/monitors/create", {
    websiteId: capitals,
    url: "https://example.com/",
    interval: "1h",
  });
  expect(monitor["websiteId"]).toBe(websiteId);
  const id = String(monitor["id"]);
  expect(await post("/uptime/status", { monitorId: id.toUpperCase() })).toMatchObject({ status: "unknown" });
  const window = { title: "Move", startsAt: "2030-01-01T00:00:00Z", endsAt: "2030-01-01T01:00:00Z" };
  expect(
    await post("/uptime/maintenance/create", { websiteId, monitorIds: [id.toUpperCase()], ...window }),
  ).toMatchObject({
    monitorIds: [id],
  });
  const page = { websiteId, slug: `c-${websiteId}`, title: "Status" };
  const groups = [{ name: "All", monitorIds: [id.toUpperCase()] }];
  expect(await post("/uptime/status-pages/create", { ...page, groups })).toMatchObject({
    groups: [{ monitorIds: [id] }],
  });
  const { body } = await sendEvents(capitals, [pageView({ anonymousId: "a" }), pageView({ anonymousId: "b" })]);
  expect(body).toMatchObject({ batched: { track: 2 } });
  const query = { parameters: ["summary_metrics"], preset: "today" };
  await expect
    .poll(() => post(`/v1/query?website_id=${capitals}`, query))
    .toMatchObject({ data: [{ data: [{ pageviews: 2 }] }] });
  await post(`/v1/query?schedule_id=${id.toUpperCase()}`, { ...query, parameters: ["uptime_overview"] });
  expect((await send("GET", `/v1/websites/${capitals}/exports`, { apiKey })).status).toBe(200);
  const uptime = createClient(UptimeService, createGrpcTransport({ baseUrl }));
  const listed = await uptime.listMonitors({ websiteId: capitals }, { headers: { "x-api-key": apiKey } });
  expect(listed.monitors.map((each) => each.id)).toEqual([id]);
});

test("ids that callers make up keep their capitals", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const id = randomUUID().toUpperCase();
  const body = [{ id, parameters: ["page_views"], preset: "today" }];
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { body, apiKey });
  expect(JSON.stringify(answer.body)).toContain(id);
});
