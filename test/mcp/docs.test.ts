import { expect, test } from "vitest";
import { runDocsLines } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";

test("the docs' commands make a key and call a tool", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answers = await runDocsLines("docs/user/mcp.md", undefined, { WEBSITE: websiteId, KEY: apiKey });
  expect(answers.map((text) => JSON.parse(text))).toMatchObject([
    { apiKey: { name: "Assistant" } },
    {
      id: 1,
      result: {
        structuredContent: { types: expect.arrayContaining([expect.objectContaining({ name: "countries" })]) },
      },
    },
  ]);
});
