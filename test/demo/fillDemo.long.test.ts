import pino from "pino";
import { expect, inject, test } from "vitest";
import { openStores } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { fillDemo } from "../../src/demo/fillDemo.ts";
import { trafficOf } from "../../src/demo/traffic.ts";
import { handlers } from "../../src/handlers.ts";
import { createOrganization } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { createKey } from "../kit/calls/website.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { startOwnServer } from "../kit/stack/ownServer.ts";

const dayMs = 86_400_000;
const todayMs = Math.floor(Date.now() / dayMs) * dayMs;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Page views of the 89 days before today. */
const expectedViews = Array.from({ length: 89 }, (_, index) =>
  trafficOf(todayMs - (index + 1) * dayMs, index + 1, todayMs),
)
  .flatMap(({ events }) => events as { name: string }[])
  .filter(({ name }) => name === "page_view").length;

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
    expect(websites).toMatchObject([{ name: "Demo shop", domain: "demo-shop.invalid" }]);
    const websiteId = (websites as { id: string }[])[0]?.id;
    // Whole days, whose traffic is known.
    const days = { startDate: dayOf(todayMs - 89 * dayMs), endDate: dayOf(todayMs - dayMs) };
    const views = async () => {
      const question = { ...days, parameters: ["summary_metrics"] };
      const { data } = await call(`/v1/query?website_id=${websiteId}`, question);
      return (data as { data: { pageviews: number }[] }[])[0]?.data[0]?.pageviews;
    };
    await expect.poll(views).toBe(expectedViews);
    const shown = async () => await (await fetch(page)).text();
    expect(await shown()).toContain("The shop was not available");
    // QuestDB shows rows a moment after it has committed them.
    await expect.poll(shown).toContain('class="fill-degraded"');
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
