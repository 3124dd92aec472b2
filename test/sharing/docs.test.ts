import { expect, test } from "vitest";
import { runDocsLines } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";

test("the docs' commands about shared dashboards do what they say", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answers = await runDocsLines("docs/user/shared.md", undefined, { WEBSITE: websiteId, KEY: apiKey });
  expect(answers.map((text) => JSON.parse(text))).toMatchObject([
    { sharedDashboard: { name: "Customer", hasPassword: true }, url: expect.stringContaining(`/shared/${websiteId}/`) },
    { websiteId, access: expect.any(String) },
    { success: true },
    { sharedDashboards: [{ name: "Customer" }] },
    { success: true },
  ]);
});
