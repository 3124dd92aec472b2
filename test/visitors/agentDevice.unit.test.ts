import { expect, test } from "vitest";
import { readUserAgent } from "../../src/visitors/userAgent.ts";

test.each([
  "Opera/9.80 (Linux mips; U; HbbTV/1.1.1 (; Humax; hdr1000s; 1.0.0; 1.0.0; ); ce-html/1.0; xx) Presto/2.10.250 Version/11.60",
  "Mozilla/5.0 (Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/84.0.4147.140 Safari/537.36 OPR/46.0.2207.0 OMI/4.21.4.112.Catcher4.66 VIDAA/5.0(Hisense;SmartTV;X;MTK9602;HD)",
  "Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS7233; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/88.0.4324.152 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; Android 10; BRAVIA 4K VH2 Build/QTG3) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0.4430.210 Safari/537.36",
  "Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/6.0 TV Safari/537.36",
  "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.79 Safari/537.36",
  "Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0.4430.225 Safari/537.36 CrKey/1.56.500000",
  "Mozilla/5.0 (DTV) AppleWebKit/531.2+ (KHTML, like Gecko) Espial/6.0.4",
])("part 1: a television is one, and no bot: %s", (agent) => {
  expect(readUserAgent(agent)).toMatchObject({ device: "tv", isBot: false, isAutomated: false });
});

test.each([
  [
    "Mozilla/5.0 (Linux; Android 7.0; myA8 DTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/78.0 Mobile Safari/537.36",
    "mobile",
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
    "tablet",
  ],
])("part 1: a phone or tablet is no television: %s", (agent, device) => {
  expect(readUserAgent(agent)).toMatchObject({ device });
});

test.each([
  ["Mozilla/5.0 (compatible; TVbot/1.0; +https://bot.example) SmartTV"],
  ["Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 HeadlessChrome/79.0.3945.79 Safari/537.36"],
])("part 1: a bot stays one beside the words of televisions: %s", (agent) => {
  expect(readUserAgent(agent)).toMatchObject({ isBot: true });
});

test.each([
  [
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    "desktop",
    "Chrome OS",
    undefined,
  ],
  ["Mozilla/5.0 (X11; FreeBSD amd64; rv:127.0) Gecko/20100101 Firefox/127.0", "desktop", "FreeBSD", undefined],
  ["Mozilla/5.0 (X11; OpenBSD amd64; rv:127.0) Gecko/20100101 Firefox/127.0", "desktop", "OpenBSD", undefined],
  ["Mozilla/5.0 (Mobile; Nokia 8110 4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5", "mobile", "KaiOS", "2.5"],
])("part 1: %s is a %s with %s", (agent, device, os, osVersion) => {
  const found = readUserAgent(agent);
  expect({ device: found.device, os: found.os }).toEqual({ device, os });
  if (osVersion !== undefined) expect(found.osVersion).toBe(osVersion);
});
