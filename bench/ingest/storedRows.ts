import { setTimeout as pause } from "node:timers/promises";
import type { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";

/** Rows of a website in `events`, once as many as expected are visible or a minute has passed. */
export async function storedRows(reader: QuestdbReader, websiteId: string, expected: number): Promise<number> {
  for (const sinceMs = performance.now(); ; await pause(50)) {
    const [row] = await reader.read("SELECT count() AS n FROM events WHERE website_id = $1", [websiteId]);
    const stored = Number(row?.["n"]);
    if (stored >= expected || performance.now() - sinceMs > 60_000) return stored;
  }
}
