import pino from "pino";
import { expect, inject, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { fillDemo } from "../../src/demo/fillDemo.ts";
import { trafficOf } from "../../src/demo/traffic.ts";
import { openStores } from "../../src/main/compose.ts";
import { handlers } from "../../src/main/handlers.ts";
import { createOrganization } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { createKey } from "../kit/calls/website.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { startOwnServer } from "../kit/stack/ownServer.ts";

const dayMs = 86_400_000;
const nowMs = Date.now();
const todayMs = Math.floor(nowMs / dayMs) * dayMs;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The events of visits of the 89 days before today, also those after midnight. */
const wholeDays = Array.from(
  { length: 89 },
  (_, index) => trafficOf(todayMs - (index + 1) * dayMs, index + 1, nowMs).events as DemoEvent[],
);
const expectedViews = wholeDays.flat().filter(({ name }) => name === "page_view").length;

type DemoEvent = { name: string; sessionId: string; anonymousId: string; utm_campaign?: string };

/** How many visitors each campaign brought in the last 89 days, and how many of them signed up. */
function expectedSignUps(): Record<string, { visitors: number; converted: number }> {
  const found = new Map<string, { visitors: Set<string>; converted: Set<string> }>();
  for (const events of wholeDays) {
    const campaigns = new Map(
      events.flatMap(({ sessionId, utm_campaign: name }) => (name === undefined ? [] : [[sessionId, name] as const])),
    );
    for (const { name, sessionId, anonymousId } of events) {
      const campaign = campaigns.get(sessionId) ?? "Unknown";
      const sets = found.get(campaign) ?? { visitors: new Set(), converted: new Set() };
      found.set(campaign, sets);
      sets.visitors.add(anonymousId);
      if (name === "signed_up") sets.converted.add(anonymousId);
    }
  }
  return Object.fromEntries(
    [...found].map(([name, sets]) => [name, { visitors: sets.visitors.size, converted: sets.converted.size }]),
  );
}

test("demo data fills a website once; its pages show the outage, and its removal leads to nothing", async () => {
  const { databaseUrl, questdbHttp, questdbPg } = inject("lookout");
  const organizationId = await createOrganization();
  const apiKey = await createKey({ organizationId });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = { UPTIME_ALLOW_CIDRS: "127.0.0.1/32", BASE_URL: baseUrl };
  const server = await startOwnServer(handlers, { PORT: String(port), ...env });
  const config = readConfig({ DATABASE_URL: databaseUrl, QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg, ...env });
  const stores = openStores(config, pino({ level: "silent" }));
  const call = async (path: string, body: object) => {
    const answer = await send("POST", path, { apiKey, body, baseUrl });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as Record<string, unknown>;
  };
  try {
    const lines: string[] = [];
    await fillDemo(stores, apiKey, (line) => lines.push(line));
    const page = /http\S+\/status\/\S+/.exec(lines.join("\n"))?.[0] ?? "";
    const { websites } = await call("/websites/list", {});
    const goal = (value: string) => ({ kind: "event", value });
    expect(websites).toMatchObject([
      {
        name: "Demo shop",
        domain: "demo-shop.invalid",
        goals: { goals: [goal("signed_up"), goal("purchase"), goal("newsletter_subscribed")] },
      },
    ]);
    const websiteId = (websites as { id: string }[])[0]?.id;
    // Whole days, whose traffic is known.
    const days = { startDate: dayOf(todayMs - 89 * dayMs), endDate: dayOf(todayMs - dayMs) };
    const views = async () => {
      const question = { ...days, parameters: ["summary_metrics"] };
      const { data } = await call(`/v1/query?website_id=${websiteId}`, question);
      return (data as { data: { pageviews: number }[] }[])[0]?.data[0]?.pageviews;
    };
    await expect.poll(views).toBe(expectedViews);
    const question = { ...days, goals: [{ event: "signed_up" }], splitBy: "utm_campaign" };
    const { goals } = await call(`/v1/query/goals?website_id=${websiteId}`, question);
    type Split = { value: string; figures: { visitors: number; converted: number } };
    const splits = (goals as { splits: Split[] }[])[0]?.splits ?? [];
    const signUps = splits.map(({ value, figures: { visitors, converted } }) => [value, { visitors, converted }]);
    expect(Object.fromEntries(signUps)).toEqual(expectedSignUps());
    const shown = async () => await (await fetch(page)).text();
    expect(await shown()).toContain("The shop was not available");
    // QuestDB shows rows a moment after it has committed them.
    await expect.poll(shown).toContain('class="fill-degraded"');
    // Pages count the checks that were due since then.
    const { monitors } = await call("/uptime/monitors/list", { websiteId });
    const created = (monitors as { createdAt: string }[]).map(({ createdAt }) => dayOf(Date.parse(createdAt)));
    expect(created).toEqual(Array.from({ length: 3 }, () => dayOf(Date.now() - 90 * dayMs)));
    // A second start finds it.
    await fillDemo(stores, apiKey, (line) => lines.push(line));
    expect(lines.at(-1)).toContain("the demo data is there");
    expect(await views()).toBe(expectedViews);
    await call("/websites/delete", { id: websiteId });
    expect((await call("/websites/list", {}))["websites"]).toEqual([]);
  } finally {
    await server.close();
    await Promise.all([stores.postgres.end(), stores.questdb.close()]);
  }
});
