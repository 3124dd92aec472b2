import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isBot } from "../../src/visitors/bots.ts";
import { nameBot } from "../../src/visitors/namedBots.ts";
import { readUserAgent } from "../../src/visitors/userAgent.ts";

test.each([
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot", "Google", "search_engine"],
  ["Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "Bingbot", "Microsoft", "search_engine"],
  ["Mozilla/5.0 (compatible; GPTBot/1.0; +https://openai.com/gptbot)", "GPTBot", "OpenAI", "ai_crawler"],
  [
    "Mozilla/5.0 (compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)",
    "OAI-SearchBot",
    "OpenAI",
    "ai_crawler",
  ],
  ["Mozilla/5.0 (compatible; Claude-User/1.0; +Claude-User@anthropic.com)", "Claude-User", "Anthropic", "ai_agent"],
  [
    "Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
    "PerplexityBot",
    "Perplexity",
    "ai_crawler",
  ],
  [
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "facebookexternalhit",
    "Meta",
    "link_preview",
  ],
  [
    "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
    "UptimeRobot",
    "UptimeRobot",
    "monitoring",
  ],
  ["libwww-perl/6.05", "libwww-perl", undefined, "http_library"],
  ["Mozilla/5.0 (compatible; DeuSu/5.0.2; +https://deusu.de/robot.html)", "deusu", undefined, "search_engine"],
  ["my-own-crawler/1.0", "other bot", undefined, "other_bot"],
])("%s", (agent, name, operator, kind) => {
  const found = readUserAgent(agent).bot;
  expect(found).toMatchObject({ operator, kind });
  expect(found?.name.toLowerCase()).toBe(name.toLowerCase());
});

test("a person's browser is no bot", () => {
  expect(readUserAgent("Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36").bot).toBe(
    undefined,
  );
});

test("nearly all bots of the list have a name, which is short and no regular expression", () => {
  const agents = readFileSync(new URL("../../third_party/agents/bots.txt", import.meta.url), "utf8")
    .split("\n")
    .slice(1)
    .filter((agent) => isBot(agent));
  const names = agents.map((agent) => nameBot(agent).name);
  expect(names.filter((name) => name === "other bot").length / names.length).toBeLessThan(0.02);
  for (const name of new Set(names)) expect(name).toMatch(/^[^\\[\]^$|]{2,64}$/);
});
