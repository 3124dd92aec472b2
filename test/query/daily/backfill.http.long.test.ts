import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { correctNow } from "../../kit/calls/erasureCalls.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { sql } from "../../kit/stores/eventStore.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";

test("8: each past day gets its figures, whether its correction or the backfill comes first", {
  timeout: 400_000,
}, async () => {
  const website = await createWebsite();
  const { websiteId, apiKey } = website;
  const days = [1, 2, 9, 40];
  const body = days.map((day) => ({
    name: "page_view",
    path: `/${day}`,
    anonymousId: randomUUID(),
    sessionId: randomUUID(),
    timestamp: noonDaysAgo(day),
  }));
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body })).status).toBe(200);
  const dayOf = (day: number) => new Date(noonDaysAgo(day)).toISOString().slice(0, 10);
  const made = async () => {
    await correctNow();
    const rows = await sql(
      inject("lookout").questdbHttp,
      `SELECT ts::string AS day, page_views, visitors, sessions FROM daily_figures WHERE website_id = '${websiteId}' AND counted = 'all' AND field = 'total' ORDER BY ts`,
    );
    return rows.map(({ day, ...figures }) => [String(day).slice(0, 10), figures]);
  };
  const figures = { page_views: 1, visitors: 1, sessions: 1 };
  await expect
    .poll(made, { timeout: 300_000, interval: 2_000 })
    .toEqual(days.toReversed().map((day) => [dayOf(day), figures]));
  const { rows } = await inDatabase((database) =>
    database.query("SELECT to_char(figures_from, 'YYYY-MM-DD') AS day FROM websites WHERE id = $1", [websiteId]),
  );
  expect(rows).toEqual([{ day: dayOf(40) }]);
});
