import { expect, test, vi } from "vitest";
import { runReadmeLines } from "../kit/calls/readmeLines.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { type Receipt, receiptOf } from "./erasure/erasureCalls.ts";

vi.setConfig({ testTimeout: 180_000 });

const json = (text: string | undefined): unknown => JSON.parse(text ?? "");

test("the README's lines about websites and retention do what it says", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answers = await runReadmeLines("## Websites", { WEBSITE: websiteId, KEY: apiKey });
  const shown = answers.map(json);
  expect(shown).toMatchObject([
    { name: "Shop", domain: "shop.example", timezone: "Europe/Berlin" },
    { websites: expect.any(Array) },
    { id: websiteId, publicAccess: true },
    { retention: { rawEventsDays: 365 }, pendingRetention: { retention: { performanceDays: 30 } } },
    { success: true },
    { id: websiteId, deletedAt: null },
    { entries: expect.any(Array) },
    { retention: { rawEventsDays: 365 }, pendingRetention: { retention: { rawEventsDays: 30, aggregatedDays: 365 } } },
    { retention: { rawEventsDays: 365, aggregatedDays: 730 }, pendingRetention: null },
    { runs: [] },
  ]);
});

test("the README's lines about exports do what it says", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answers = await runReadmeLines("## Exporting data", { WEBSITE: websiteId, KEY: apiKey });
  expect(json(answers[0])).toMatchObject({ success: true, status: "processing" });
  expect(json(answers.at(-1))).toMatchObject({ exports: [{ format: "parquet", status: "completed" }] });
});

test("the README's lines about erasures do what it says", async () => {
  const site = await createWebsite();
  const answers = await runReadmeLines("## Erasing data", { WEBSITE: site.websiteId, KEY: site.apiKey });
  expect(answers.map(json)).toMatchObject([
    { status: "processing", deleted: { events: 0 } },
    { phase: expect.any(String) },
  ]);
  const { deletion_id: id } = json(answers[0]) as { deletion_id: string };
  const receipt: Receipt = await receiptOf(site, id);
  expect(receipt.tables.map(({ rows_after }) => rows_after).every((rows) => rows === 0)).toBe(true);
});
