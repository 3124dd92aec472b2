import { describe, expect, it } from "vitest";
import { readUserAgent } from "../../src/visitors/userAgent.ts";

const unknown = {
  browser: undefined,
  browserVersion: undefined,
  os: undefined,
  osVersion: undefined,
  device: undefined,
};

describe("part 1: browser, system and device come from the User-Agent header", () => {
  it.each([
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
      {
        browser: "Chrome",
        browserVersion: "126",
        os: "macOS",
        osVersion: "10.15",
        device: "desktop",
        isBot: false,
        isAutomated: false,
      },
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      {
        browser: "Safari",
        browserVersion: "17",
        os: "iOS",
        osVersion: "17.5",
        device: "mobile",
        isBot: false,
        isAutomated: false,
      },
    ],
    [
      "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
      {
        browser: "Firefox",
        browserVersion: "127",
        os: "Linux",
        osVersion: undefined,
        device: "desktop",
        isBot: false,
        isAutomated: false,
      },
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
      {
        browser: "Microsoft Edge",
        browserVersion: "126",
        os: "Windows",
        osVersion: "10",
        device: "desktop",
        isBot: false,
        isAutomated: false,
      },
    ],
  ])("%s", (header, agent) => {
    expect(readUserAgent(header)).toEqual(agent);
    expect(readUserAgent(header)).toEqual(agent);
  });

  it.each([
    ["Chrome/126.0.6478.127", "10_15_7", "126", "10.15"],
    ["Chrome/123456789.1", "10_987654_1", undefined, "10"],
    ["Chrome/someone@example.com", "someone", undefined, undefined],
  ])("keeps the identifying part of a version only: %s on %s", (browser, system, browserVersion, osVersion) => {
    const header = `Mozilla/5.0 (Macintosh; Intel Mac OS X ${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser} Safari/537.36`;
    const agent = readUserAgent(header);
    expect([agent.browserVersion, agent.osVersion]).toEqual([browserVersion, osVersion]);
  });

  it.each([undefined, "", "node", "My Own Client/1.0 (someone@example.com)", "x".repeat(10_000)])(
    "stores nothing of an unknown agent: %s",
    (header) => {
      expect(readUserAgent(header)).toMatchObject(unknown);
    },
  );
});
