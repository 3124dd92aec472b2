import { expect, test } from "vitest";
import { runDocsLines } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";

test("the docs' commands about events do what they say", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answers = await runDocsLines("docs/user/events.md", undefined, { WEBSITE: websiteId, KEY: apiKey });
  expect(answers.map((text) => JSON.parse(text))).toMatchObject([
    { success: true, data: [{ parameter: "summary_metrics" }, {}, {}] },
    { status: "success" },
    { status: "success" },
    { batched: { track: 2 }, results: [{ status: "success" }, { status: "success" }] },
  ]);
});
