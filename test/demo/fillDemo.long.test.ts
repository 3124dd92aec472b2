import pino from "pino";
import { expect, inject, test } from "vitest";
import { openStores } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { fillDemo } from "../../src/demo/fillDemo.ts";
import { handlers } from "../../src/handlers.ts";
import { createOrganization } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { createKey } from "../kit/calls/website.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { startOwnServer } from "../kit/stack/ownServer.ts";

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
    const question = { preset: "last_90d", parameters: ["summary_metrics", "utm_campaigns", "vitals_overview"] };
    const ask = () => call(`/v1/query?website_id=${websiteId}`, question);
    await expect.poll(async () => JSON.stringify(await ask())).toContain("new_in_autumn");
    const before = await ask();
    const shown = async () => await (await fetch(page)).text();
    expect(await shown()).toContain("The shop was not available");
    // QuestDB shows rows a moment after it has committed them.
    await expect.poll(shown).toContain('class="fill-degraded"');
    // A second start finds it.
    await fillDemo(stores, apiKey, (line) => lines.push(line));
    expect(lines.at(-1)).toContain("the demo data is there");
    expect((await ask())["data"]).toEqual(before["data"]);
    await call("/websites/delete", { id: websiteId });
    expect((await call("/websites/list", {}))["websites"]).toEqual([]);
  } finally {
    await server.close();
    await Promise.all([stores.postgres.end(), stores.questdb.close()]);
  }
});
