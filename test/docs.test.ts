import { expect, inject, test } from "vitest";
import { runDocsLines } from "./kit/calls/docsLines.ts";
import { send } from "./kit/calls/request.ts";

test("the README's first event is found by its first query", async () => {
  const { websiteId, apiKey } = inject("lookout");
  const answers = await runDocsLines("README.md", "## First event, first query");
  const [sent, found] = answers.map((text) => JSON.parse(text));
  expect(sent).toMatchObject({ status: "success", batched: { track: 1 } });
  expect(found).toMatchObject({ success: true });
  const views = async () =>
    await send("POST", `/v1/query?website_id=${websiteId}`, {
      body: { preset: "today", parameters: ["top_pages"] },
      apiKey,
    });
  await expect
    .poll(async () => (await views()).body)
    .toMatchObject({ data: [{ data: expect.arrayContaining([expect.objectContaining({ name: "/pricing" })]) }] });
});
