import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { LargeWebsites } from "../../../src/query/sql/largeWebsites.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { oneNode } from "../../kit/stores/oneNode.ts";
import { countRows, insertRows } from "../../kit/stores/sampleRows.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";

const silent = { warn: () => undefined };
const websiteId = randomUUID();
let reader: QuestdbReader;

beforeAll(async () => {
  reader = openQuestdb();
  const rows = Array.from({ length: 100 }, (_, index) => ({ tsMs: Date.now() + index, event_type: "page_view" }));
  await insertRows(reader, "events", rows, websiteId);
  await vi.waitFor(async () => expect(await countRows(reader, "events", websiteId)).toBe(rows.length), {
    timeout: 100_000,
  });
});

afterAll(() => reader.close());

test("4.1 a website is large from half a percent of the events of the latest week with events", async () => {
  await vi.waitFor(
    async () => {
      const large = new LargeWebsites(oneNode(reader), silent);
      await large.refresh();
      const rows = await reader.read("SELECT website_id, ts FROM events", []);
      const from = rows.reduce((latest, { ts }) => Math.max(latest, Number(ts)), 0) - 7 * 86_400_000;
      const recent = rows.filter(({ ts }) => Number(ts) >= from);
      expect(recent.length).toBeGreaterThan(0);
      for (const [id, own] of Map.groupBy(recent, ({ website_id }) => String(website_id)))
        expect(large.shareOf([id]), id).toBe(own.length < recent.length * 0.005 ? 0 : own.length / recent.length);
      expect(large.shareOf([randomUUID()])).toBe(0);
    },
    // Other tests write meanwhile.
    { timeout: 100_000 },
  );
});

test("4.1 shares are computed while websites are queried, and stay cached while the store is unavailable", async () => {
  let isDown = false;
  const warn = vi.fn();
  const store = {
    read: async (sql: string) => {
      if (isDown) throw new Error("down");
      return sql.includes("max(ts)") ? [{ ts: 0 }] : [{ website_id: websiteId, share: 0.25 }];
    },
  };
  const large = new LargeWebsites(oneNode(store), { warn });
  expect(large.shareOf([websiteId])).toBe(0);
  await vi.waitFor(() => expect(large.shareOf([websiteId])).toBe(0.25), { timeout: 100_000 });
  isDown = true;
  await large.refresh();
  expect(warn).toHaveBeenCalledOnce();
  expect(large.shareOf(["another", websiteId])).toBe(0.25);
  expect(large.shareOf(["another"])).toBe(0);
});
