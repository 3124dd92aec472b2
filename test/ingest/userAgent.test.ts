import { describe, expect, it } from "vitest";
import { readUserAgent } from "../../src/ingest/userAgent.ts";

const unknown = { browser: undefined, os: undefined, device: undefined };

describe("part 1: browser, system and device come from the User-Agent header", () => {
  it.each([
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
      { browser: "Chrome", os: "macOS", device: "desktop", isBot: false },
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      { browser: "Safari", os: "iOS", device: "mobile", isBot: false },
    ],
    [
      "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
      { browser: "Firefox", os: "Linux", device: "desktop", isBot: false },
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
      { browser: "Microsoft Edge", os: "Windows", device: "desktop", isBot: false },
    ],
  ])("%s", (header, agent) => {
    expect(readUserAgent(header)).toEqual(agent);
    expect(readUserAgent(header)).toEqual(agent);
  });

  it.each([undefined, "", "node", "My Own Client/1.0 (someone@example.com)", "x".repeat(10_000)])(
    "stores no word of an agent it does not know: %s",
    (header) => {
      expect(readUserAgent(header)).toMatchObject(unknown);
    },
  );
});
