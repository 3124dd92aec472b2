import { expect, test } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../kit/stores/storedRows.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const ada = { anonymousId: "ada@example.org", sessionId: "her visit", ip: "81.2.69.142", userAgent: firefox };

async function update({ websiteId, apiKey }: TestWebsite, privacy: object) {
  return await send("POST", "/websites/update", { apiKey, body: { id: websiteId, privacy } });
}

/** Sends events of every kind that has a visitor. */
async function sendAll({ websiteId, apiKey }: TestWebsite): Promise<void> {
  const named = `website_id=${websiteId}`;
  const batch = [
    { ...ada, name: "page_view", path: "/", timestamp: noonDaysAgo(1) },
    { ...ada, name: "page_view", path: "/", timestamp: noonDaysAgo(2) },
    { ...ada, name: "signup", timestamp: noonDaysAgo(1), region: "Bavaria", city: "Munich", country: "DE" },
    { ...ada, type: "outgoing_link", href: "https://partner.example/", timestamp: noonDaysAgo(1) },
  ];
  const answers = [
    await send("POST", `/batch?${named}`, { apiKey, body: batch }),
    await send("POST", `/vitals?${named}`, {
      apiKey,
      body: [{ ...ada, metricName: "LCP", metricValue: 5, path: "/" }],
    }),
    await send("POST", `/errors?${named}`, { apiKey, body: [{ ...ada, message: "x is not a function", path: "/" }] }),
  ];
  for (const answer of answers) expect([200, JSON.stringify(answer.body)]).toEqual([answer.status, expect.anything()]);
}

async function allRows({ websiteId }: TestWebsite) {
  const events = await storedRows("events", websiteId, 3);
  const links = await storedRows("outgoing_links", websiteId, 1);
  const vitals = await storedRows("performance_metrics", websiteId, 1);
  const errors = await storedRows("script_errors", websiteId, 1);
  return { events, all: [...events, ...links, ...vitals, ...errors] };
}

test("a new website stores cities and ids as they are sent", async () => {
  const website = await createWebsite();
  const answer = await send("POST", "/websites/get", { apiKey: website.apiKey, body: { id: website.websiteId } });
  expect(answer.body).toMatchObject({ privacy: { place: "city", ids: "sent" } });
  await sendAll(website);
  const { events, all } = await allRows(website);
  expect(events.every(({ city }) => Boolean(city))).toBe(true);
  expect(JSON.stringify(all)).toContain("ada@example.org");
  expect(JSON.stringify(all)).toContain("her visit");
});

test("with the country alone and ids that end with the day no row holds more, and the audit log has the change", async () => {
  const website = await createWebsite();
  const changed = await update(website, { place: "country", ids: "day" });
  expect(changed).toMatchObject({ status: 200, body: { privacy: { place: "country", ids: "day" } } });
  await sendAll(website);

  const { events, all } = await allRows(website);
  expect(all.every(({ region = null, city = null }) => region === null && city === null)).toBe(true);
  expect(events.every(({ country }) => Boolean(country))).toBe(true);
  const text = JSON.stringify(all);
  expect(text).not.toContain("ada@example.org");
  expect(text).not.toContain("her visit");
  const ids = events.map((row) => String(row["anonymous_id"]));
  for (const id of ids) expect(id).toMatch(/^[\w-]{8}$/);
  // Of two days.
  expect(new Set(ids).size).toBe(2);
  expect(new Set(events.map((row) => row["session_id"])).size).toBe(2);
  expect(new Set(events.map((row) => row["visitor_key"])).size).toBe(2);
  const days = events.map(({ ts }) => new Date(Number(ts)).toISOString().slice(0, 10));
  const idsOfDay = new Set(events.map((row, index) => `${days[index]} ${String(row["anonymous_id"])}`));
  expect(idsOfDay.size).toBe(2);

  const { websiteId, apiKey } = website;
  const log = await send("POST", "/audit/list", { apiKey, body: { websiteId } });
  expect(JSON.stringify(log.body)).toContain('"place":"country"');
  const report = await send("GET", `/v1/websites/${websiteId}/privacy-report`, { apiKey });
  const { points } = report.body as { points: { id: string; state: string; settings: object[] }[] };
  expect(points.find(({ id }) => id === "tracker_life")).toMatchObject({ state: "unknown" });
  expect(points.find(({ id }) => id === "location")?.settings).toEqual([{ name: "privacy.place", value: "country" }]);
  expect(points.find(({ id }) => id === "direct_identifiers")).toMatchObject({ state: "fulfilled" });
});

test("with the region no city is stored", async () => {
  const website = await createWebsite();
  expect((await update(website, { place: "region", ids: "sent" })).status).toBe(200);
  await sendAll(website);
  const { events } = await allRows(website);
  expect(events.every(({ region, city }) => Boolean(region) && city === null)).toBe(true);
});

test("a wrong or missing value is named", async () => {
  const website = await createWebsite();
  const answer = await update(website, { place: "street" });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain("privacy.place");
  expect(JSON.stringify(answer.body)).toContain("privacy.ids");
});
