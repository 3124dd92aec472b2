import { expect, inject, test } from "vitest";
import { runDocsLines } from "../kit/calls/docsLines.ts";

test("the docs' commands about keys do what they say", async () => {
  const { websiteId, apiKey } = inject("lookout");
  const answers = await runDocsLines("docs/user/access.md", "## Keys", { WEBSITE: websiteId });
  const [made, answer, list, rotated, revoked] = answers.map((text) => JSON.parse(text));
  const { id } = made.apiKey;
  expect(made).toMatchObject({ apiKey: { name: "Dashboard", scopes: ["read:data"], websiteIds: [websiteId] } });
  expect(answer).toMatchObject({ success: true });
  expect(list.apiKeys).toContainEqual(expect.objectContaining({ id }));
  expect(rotated).toMatchObject({ apiKey: { id }, key: expect.stringMatching(/^lk_/) });
  expect(new Set([apiKey, made.key, rotated.key]).size).toBe(3);
  expect(revoked).toMatchObject({ id, revokedAt: expect.any(String) });
});
