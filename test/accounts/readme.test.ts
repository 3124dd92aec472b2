import { expect, test } from "vitest";
import { runReadmeLines } from "../kit/calls/readmeLines.ts";

test("the README's lines about accounts do what it says", async () => {
  const answers = await runReadmeLines("## Accounts");
  expect(answers.map((text) => JSON.parse(text))).toMatchObject([
    { email: "owner@localhost", role: "owner" },
    { email: "owner@localhost", role: "owner" },
    { members: [{ email: "owner@localhost" }] },
    { invitation: { email: "ada@example.com" }, link: expect.stringContaining("/invitation#token=") },
    { totpUri: expect.stringContaining("otpauth://"), backupCodes: expect.any(Array) },
    { sessions: expect.arrayContaining([expect.objectContaining({ current: true })]) },
    { success: true },
  ]);
});
