import { beforeAll, describe, expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";

let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite();
});

async function post<T>(path: string, body: unknown): Promise<T> {
  const answer = await send("POST", path, { body, apiKey: website.apiKey });
  expect(answer.status).toBe(200);
  return answer.body as T;
}

async function entriesOf(objectId: string): Promise<unknown[]> {
  return (await post<{ entries: unknown[] }>("/audit/list", { objectId })).entries;
}

/** Names below .invalid never resolve, so no check leaves the machine. */
const url = "https://shop.invalid/health";

describe("the audit log", () => {
  test("shows what was changed of a monitor, without the secrets it sends", async () => {
    const { websiteId } = website;
    const headers = { authorization: "Bearer s3cret" };
    const { id } = await post<{ id: string }>("/uptime/monitors/create", {
      websiteId,
      url: `${url}?token=s3cret`,
      interval: "24h",
      headers,
    });
    await post("/uptime/monitors/update", { id, url: `${url}?token=n3w` });
    await post("/uptime/monitors/update", { id, url });
    await post("/uptime/monitors/update", { id, interval: "1h", keyword: "well", headers: { authorization: "n3w" } });
    // This changes nothing.
    await post("/uptime/monitors/update", { id, interval: "1h" });
    await post("/uptime/monitors/pause", { id });
    await post("/uptime/monitors/resume", { id });
    await post("/uptime/monitors/delete", { id });
    const entries = await entriesOf(id);
    const hidden = `${url}?[hidden]`;
    const common = { objectType: "monitor", objectId: id, websiteId };
    expect(entries).toMatchObject([
      { ...common, action: "monitor.delete", before: { url, interval: "1h" }, after: null },
      { ...common, action: "monitor.resume", before: { status: "paused" }, after: { status: "active" } },
      { ...common, action: "monitor.pause", before: { status: "active" }, after: { status: "paused" } },
      { ...common, action: "monitor.update" },
      { ...common, action: "monitor.update", before: { url: hidden }, after: { url } },
      { ...common, action: "monitor.update", before: { url: hidden }, after: { url: hidden } },
      {
        ...common,
        action: "monitor.create",
        before: null,
        after: { url: hidden, interval: "24h", name: "shop.invalid", headerNames: ["authorization"] },
      },
    ]);
    expect(entries[3]).toMatchObject({
      before: { interval: "24h", keyword: "", headers: "[hidden]" },
      after: { interval: "1h", keyword: "well", headers: "[hidden]" },
    });
    expect(JSON.stringify(entries)).not.toMatch(/s3cret|n3w/);
  });

  test("shows a notification channel, without the path of its hook", async () => {
    const target = "https://hooks.example.com/s3cret";
    const made = { name: "Ops", kind: "webhook", target };
    const { channel } = await post<{ channel: { id: string } }>("/uptime/channels/create", made);
    await post("/uptime/channels/delete", { id: channel.id });
    const entries = await entriesOf(channel.id);
    const fields = { name: "Ops", kind: "webhook", to: "hooks.example.com" };
    expect(entries).toMatchObject([
      { action: "notification_channel.delete", objectType: "notification_channel", before: fields, after: null },
      { action: "notification_channel.create", websiteId: null, before: null, after: fields },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/s3cret|whsec/);
  });

  test("shows a maintenance window", async () => {
    const times = { startsAt: "2036-12-01T02:00:00.000Z", endsAt: "2036-12-01T04:00:00.000Z" };
    const { websiteId } = website;
    const { id } = await post<{ id: string }>("/uptime/maintenance/create", { websiteId, title: "Disks", ...times });
    await post("/uptime/maintenance/delete", { id });
    const fields = { title: "Disks", monitorIds: [], ...times };
    expect(await entriesOf(id)).toMatchObject([
      { action: "maintenance_window.delete", websiteId, before: fields, after: null },
      { action: "maintenance_window.create", objectType: "maintenance_window", websiteId, before: null, after: fields },
    ]);
  });
});
