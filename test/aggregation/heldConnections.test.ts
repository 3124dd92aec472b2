import pg from "pg";
import { expect, inject, test } from "vitest";
import { holdDays, takeTouchedDay, touchDays, whenDaysAreFree } from "../../src/aggregation/touchedDayQueue.ts";
import { createWebsite } from "../kit/calls/website.ts";

test("2: work on many days leaves connections to PostgreSQL for what it reads meanwhile", async () => {
  const { websiteId } = await createWebsite();
  const days = Array.from({ length: 12 }, (_, index) => ({ websiteId, day: `2025-01-${10 + index}` }));
  // Work that waits for a connection which other work holds would reject after 5 s.
  const { databaseUrl: connectionString } = inject("lookout");
  const pool = new pg.Pool({ connectionString, max: 4, connectionTimeoutMillis: 5_000 });
  const read = async () => {
    // All that may hold a connection have one by now.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await pool.query("SELECT 1");
  };
  await touchDays(pool, days);
  const results = await Promise.allSettled(
    days.flatMap((day) => [
      takeTouchedDay(pool, day, 0, read),
      holdDays(pool, [{ ...day, day: `${day.day.slice(0, 5)}02${day.day.slice(7)}` }], read),
      whenDaysAreFree(pool, [day]),
    ]),
  );
  expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  await pool.end();
});
