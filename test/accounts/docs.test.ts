import { expect, test } from "vitest";
import { runDocsLines } from "../kit/calls/docsLines.ts";

test("the docs' commands about accounts do what they say", async () => {
  const answers = await runDocsLines("docs/user/accounts.md");
  expect(answers.map((text) => JSON.parse(text))).toMatchObject([
    { email: "owner@localhost", role: "owner" },
    { email: "owner@localhost", role: "owner" },
    { members: [{ email: "owner@localhost" }] },
    { invitation: { email: "ada@example.com" }, link: expect.stringContaining("/invitation#token=") },
    { invitation: { email: "grace@example.com", websiteIds: [expect.any(String)], scopes: ["read:data", "update"] } },
    { totpUri: expect.stringContaining("otpauth://"), backupCodes: expect.any(Array) },
    { sessions: expect.arrayContaining([expect.objectContaining({ current: true })]) },
    { success: true },
  ]);
});
