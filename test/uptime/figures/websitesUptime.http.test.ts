import { expect, test } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite } from "../../kit/calls/website.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { insertMonitor, writeChecks } from "../../kit/stores/monitorFixture.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const todayMs = Math.floor(Date.now() / dayMs) * dayMs;

type Row = Record<string, unknown>;

test("4.1 websites_uptime has the worst state of each website's monitors, as its status page has, and its open incidents", async () => {
  const owner = await createWebsite();
  const { apiKey, organizationId } = owner;
  const add = async (name: string) => {
    const body = { name, domain: `${name}.example` };
    const { id } = (await send("POST", "/websites/create", { apiKey, body })).body as { id: string };
    return { ...owner, websiteId: id };
  };
  const [shop, blog, none] = [await add("shop"), await add("blog"), await add("none")];
  // Far apart slots, so that no worker checks them while the test runs.
  const rare = {
    status: "active",
    intervalMs: dayMs,
    phaseMs: 0,
    schedules: [{ fromMs: todayMs - dayMs, untilMs: null }],
  };
  const [up, down, degraded] = [
    await insertMonitor(shop, { ...rare, name: "Up" }),
    await insertMonitor(shop, { ...rare, name: "Down" }),
    await insertMonitor(blog, { ...rare, name: "Degraded" }),
  ];
  await insertMonitor(shop, { name: "Paused" });
  await insertMonitor(shop, { name: "Gone", status: "stopped" });
  await insertMonitor(owner, { name: "Paused" });
  await writeChecks(up, [{ dueMs: todayMs, region: "local", status: "up" }]);
  await writeChecks(down, [
    { dueMs: todayMs - dayMs, region: "local", status: "up" },
    { dueMs: todayMs, region: "local", status: "down" },
  ]);
  await writeChecks(degraded, [{ dueMs: todayMs, region: "local", status: "degraded" }]);
  const incidents = [
    [`${down.id}/1`, null],
    [`${down.id}/0`, todayMs / 1_000 - 60],
  ] as const;
  await inDatabase(async (database) => {
    for (const [id, resolvedAt] of incidents)
      await database.query(
        `INSERT INTO incidents (id, monitor_id, started_at, resolved_at, first_error, checks_affected, regions)
         VALUES ($1, $2, to_timestamp($3::float8), to_timestamp($4::float8), 'secret.internal refused', 1, '{local}')`,
        [id, down.id, todayMs / 1_000 - 3_600, resolvedAt],
      );
  });
  const read = async (address: string, key = apiKey) => {
    const body = { preset: "today", parameters: ["websites_uptime"] };
    const answer = await send("POST", `/v1/query?${address}`, { apiKey: key, body });
    return (answer.body as { data: [{ data: Row[] }] }).data[0].data;
  };
  const all = `organization_id=${organizationId}`;
  const found = new Map((await read(all)).map((row) => [row["website_id"], row]));
  const incident = { id: `${down.id}/1`, monitor_id: down.id, monitor_name: "Down", started_at: expect.any(String) };
  expect(found.get(shop.websiteId)).toMatchObject({ state: "down", in_state: 1, monitors: 2, incidents: [incident] });
  expect(found.get(blog.websiteId)).toMatchObject({ state: "degraded", in_state: 1, monitors: 1, incidents: [] });
  expect(found.get(none.websiteId)).toMatchObject({ state: "none", in_state: 0, monitors: 0, incidents: [] });
  expect(found.get(owner.websiteId)).toMatchObject({ state: "paused", in_state: 1, monitors: 1 });
  expect(JSON.stringify([...found.values()])).not.toContain("secret");
  for (const { websiteId } of [shop, blog]) {
    const page = await send("GET", `/v1/status?website_id=${websiteId}&days=1`, { apiKey });
    expect(page.body).toMatchObject({ status: found.get(websiteId)?.["state"] });
  }
  const window = { websiteId: blog.websiteId, title: "Move", startsAt: new Date().toISOString() };
  const endsAt = new Date(Date.now() + hourMs).toISOString();
  const created = await send("POST", "/uptime/maintenance/create", { apiKey, body: { ...window, endsAt } });
  expect(created.status).toBe(200);
  expect(await read(`website_id=${blog.websiteId}`)).toMatchObject([{ state: "maintenance" }]);
  const limited = await createKey({ organizationId, websiteIds: [none.websiteId] });
  expect((await read(all, limited)).map((row) => row["website_id"])).toEqual([none.websiteId]);
});
