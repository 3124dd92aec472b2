import { describe, expect, it } from "vitest";
import { isAutomated, isBot } from "../../src/visitors/bots.ts";
import { chrome, chromeOnAndroid, safariOnIphone } from "../kit/calls/linkCalls.ts";

const otherBrowsers = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 330.0",
  "Mozilla/5.0 (Linux; Android 12; Cubot X30; wv) AppleWebKit/537.36 Version/4.0 Chrome/100.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/450.0;]",
  "Opera/9.80 (J2ME/MIDP; Opera Mini/9.80; U; en) Presto/2.12.423 Version/12.16",
  "Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)",
];

describe("part 1: bots by their User-Agent header", () => {
  it.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/147.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Linux; Android 11) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
  ])("is one: %s", (agent) => {
    expect(isBot(agent)).toBe(true);
  });

  it.each([
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 330.0",
    "Mozilla/5.0 (Linux; Android 12; Cubot X30) AppleWebKit/537.36 Chrome/100.0.0.0 Mobile Safari/537.36",
    "Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7)",
    "MyApp/1.0 CFNetwork/1410.0.3 Darwin/22.6.0",
    "",
  ])("is a visitor: %s", (agent) => {
    expect(isBot(agent)).toBe(false);
  });

  it.each([
    "node",
    "undici",
    "Bun/1.2.3",
    "Deno/2.1",
    "curl/8.5.0",
    "axios/1.7.2",
    "python-requests/2.32.3",
    "Python/3.12 aiohttp/3.9.1",
    "Go-http-client/1.1",
    "okhttp/4.12.0",
    "Apache-HttpClient/4.5.14 (Java/17.0.9)",
    "grpc-node-js/1.14.7",
    "PostmanRuntime/7.39.0",
  ])("is a program that sends events: %s", (agent) => {
    expect(isBot(agent)).toBe(false);
  });

  it("does not take a bot for a program because its name begins like one", () => {
    expect(isBot("GoogleBot")).toBe(true);
    expect(isBot("node-crawler-bot/1.0")).toBe(true);
  });

  it.each([chrome, safariOnIphone, chromeOnAndroid, ...otherBrowsers])("counts as a person's click: %s", (agent) => {
    expect(isAutomated(agent)).toBe(false);
  });
});
