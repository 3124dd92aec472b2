import { expect } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { websiteTest } from "../../kit/calls/websiteTest.ts";

const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const agents = {
  google: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  gpt: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot",
  chatGpt: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
  claude: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  headless: chrome.replace("Chrome/", "HeadlessChrome/"),
  unknown: "SecretName-crawler/7.3 (+https://crawler.example/bot)",
};
const view = { name: "screen_view", path: "/prices" };

websiteTest("what was left out is counted by reason and by bot, as often as it was sent", async ({ website, api }) => {
  const { websiteId } = website;
  const batch = async (events: readonly object[], headers: Record<string, string>) => {
    const answer = await send("POST", `/batch?website_id=${websiteId}`, { body: events, headers });
    expect(answer.status).toBe(200);
  };
  await batch([view, view, view], { "user-agent": agents.google });
  await batch([view, view], { "user-agent": agents.gpt });
  await batch([view], { "user-agent": agents.chatGpt });
  await batch([view, view, view, view], { "user-agent": agents.claude });
  await batch([view], { "user-agent": agents.headless });
  await batch([view], { "user-agent": agents.unknown });
  await batch([view, view], { "user-agent": chrome, dnt: "1" });
  await batch([view], { "user-agent": chrome, "sec-gpc": "1" });
  await batch(
    [
      { ...view, referrer: "https://semalt.com/" },
      { ...view, referrer: "https://news.example/" },
    ],
    {
      "user-agent": chrome,
    },
  );
  await batch(
    [
      { name: "screen_view", path: 7 },
      { ...view, timestamp: 1_000_000_000_000 },
    ],
    { "user-agent": chrome },
  );
  // A program that uses a library was written to send events, so it counts.
  await batch([view], { "user-agent": "curl/8.5.0" });
  // One event by itself, as published trackers send it, and one of a page without scripts.
  await send("POST", `/?website_id=${websiteId}`, { body: view, headers: { "user-agent": agents.google } });
  await send("GET", `/px.jpg?website_id=${websiteId}&path=/a`, { headers: { "user-agent": agents.google } });
  // A server states its visitor.
  await api.sendEvents([{ ...view, userAgent: agents.gpt }]);

  const bot = (name: string, kind: string, operator: string, count: number) =>
    expect.objectContaining({ reason: "bot", kind, name, operator, count });
  const other = (reason: string, count: number) =>
    expect.objectContaining({ reason, kind: "", name: "", operator: "", count });
  const expected = [
    bot("Googlebot", "search_engine", "Google", 5),
    bot("ClaudeBot", "ai_crawler", "Anthropic", 4),
    bot("GPTBot", "ai_crawler", "OpenAI", 3),
    other("do_not_track", 3),
    bot("ChatGPT-User", "ai_agent", "OpenAI", 1),
    bot("Headless Chrome", "headless_browser", "", 1),
    bot("other bot", "other_bot", "", 1),
    other("expired", 1),
    other("invalid", 1),
    other("referrer_spam", 1),
  ];
  await expect.poll(async () => sumOf(await api.rowsOf("excluded_traffic")), { timeout: 30_000 }).toBe(21);
  const rows = await api.rowsOf("excluded_traffic");
  expect(rows).toHaveLength(expected.length);
  expect(rows).toEqual(expect.arrayContaining(expected));
  expect(JSON.stringify(rows)).not.toContain("SecretName");

  const named = [
    { name: "ClaudeBot", operator: "Anthropic", kind: "ai_crawler", count: 4, percentage: 50 },
    { name: "GPTBot", operator: "OpenAI", kind: "ai_crawler", count: 3, percentage: 37.5 },
    { name: "ChatGPT-User", operator: "OpenAI", kind: "ai_agent", count: 1, percentage: 12.5 },
  ];
  expect(await api.rowsOf("ai_systems")).toEqual(named);
  const days = await api.rowsOf("excluded_traffic_by_day", { preset: "last_7d", granularity: "daily" });
  expect(days).toHaveLength(7);
  // Nothing is known of days before the website was there.
  expect(Reflect.get(days as object, 0)).toMatchObject({ count: null, bots: null });
  expect(Reflect.get(days as object, 6)).toMatchObject({
    count: 21,
    bots: 15,
    ai_systems: 8,
    referrer_spam: 1,
    do_not_track: 3,
    invalid: 2,
  });
  const filtered = await api.rowsOf("excluded_traffic", {
    preset: "last_7d",
    filters: [{ field: "operator", op: "eq", value: "OpenAI" }],
  });
  expect(sumOf(filtered)).toBe(4);
  // What was sent by people is counted, and nothing else.
  await expect.poll(() => api.rowsOf("top_pages")).toMatchObject([{ name: "/prices", pageviews: 2 }]);
});

websiteTest("an item that breaks the rules counts for the website that it names", async ({ website, api }) => {
  const { websiteId, apiKey } = website;
  const events = [
    { name: "signup", websiteId, timestamp: "no time" },
    { name: "signup", websiteId },
  ];
  const answer = await send("POST", "/track", { apiKey, body: events });
  expect(answer.body).toMatchObject({ processed: 2, count: 1 });
  await expect
    .poll(() => api.rowsOf("excluded_traffic"), { timeout: 30_000 })
    .toEqual([expect.objectContaining({ reason: "invalid", count: 1 })]);
});

function sumOf(rows: unknown): number {
  return (rows as { count: number }[]).reduce((sum, { count }) => sum + count, 0);
}
