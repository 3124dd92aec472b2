import { expect, test } from "vitest";
import { runDocsLines } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";

test("the docs' commands about monitors, notifications and maintenance windows do what they say", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answers = await runDocsLines("docs/user/uptime.md", undefined, { WEBSITE: websiteId, KEY: apiKey });
  expect(answers.map((text) => JSON.parse(text))).toMatchObject([
    { websiteId, url: "https://example.com/", keyword: "Example" },
    { status: "unknown" },
    {},
    {},
    {},
    { channel: { name: "Ops", kind: "webhook" } },
    {},
    {},
    { websiteId, escalation: [{ afterMinutes: 0 }, { afterMinutes: 15 }] },
    {},
    {},
  ]);
});
