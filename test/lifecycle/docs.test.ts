import { expect, test, vi } from "vitest";
import { runDocsLines } from "../kit/calls/docsLines.ts";
import { type Receipt, receiptOf } from "../kit/calls/erasureCalls.ts";
import { createWebsite } from "../kit/calls/website.ts";

vi.setConfig({ testTimeout: 180_000 });

const json = (text: string | undefined): unknown => JSON.parse(text ?? "");

test("the docs' commands about websites and retention do what they say", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answers = await runDocsLines("docs/user/websites.md", undefined, { WEBSITE: websiteId, KEY: apiKey });
  const shown = answers.map(json);
  expect(shown).toMatchObject([
    { name: "Shop", domain: "shop.example", timezone: "Europe/Berlin" },
    { websites: expect.any(Array) },
    { id: websiteId, publicAccess: true },
    { success: true },
    { id: websiteId, deletedAt: null },
    { entries: expect.any(Array) },
    {
      events: 0,
      kinds: [
        { kind: "network", excluded: null },
        { kind: "path", excluded: 0 },
      ],
    },
    { rules: { networks: ["203.0.113.0/24"], paths: ["/admin*"] } },
    { name: "Phones", shared: true },
    { segments: [{ name: "Phones" }] },
    { name: "On a phone" },
    { success: true },
    { retention: { rawEventsDays: 30 }, wouldErase: { events: 0 } },
    { retention: { rawEventsDays: 90 }, pendingRetention: { retention: { rawEventsDays: 30, aggregatedDays: 365 } } },
    { retention: { rawEventsDays: 90, aggregatedDays: 730 }, pendingRetention: null },
    { runs: [] },
  ]);
});

test("the docs' commands about exports do what they say", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answers = await runDocsLines("docs/user/data.md", "## Export", { WEBSITE: websiteId, KEY: apiKey });
  expect(json(answers[0])).toMatchObject({ success: true, status: "processing" });
  expect(json(answers.at(-1))).toMatchObject({ exports: [{ format: "parquet", status: "completed" }] });
});

test("the docs' commands about erasures do what they say", async () => {
  const site = await createWebsite();
  const answers = await runDocsLines("docs/user/data.md", "## Erase", { WEBSITE: site.websiteId, KEY: site.apiKey });
  const { deletion_id: id } = json(answers[1]) as { deletion_id: string };
  expect(answers.map(json)).toMatchObject([
    { rows: { events: 0 } },
    { status: "processing", deleted: { events: 0 } },
    { phase: expect.any(String) },
    { deletions: [{ deletion_id: id }] },
  ]);
  const receipt: Receipt = await receiptOf(site, id);
  expect(receipt.tables.map(({ rows_after }) => rows_after).every((rows) => rows === 0)).toBe(true);
});
