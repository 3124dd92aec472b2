import { dayMs } from "../../src/time/utcDay.ts";
import type { BenchStack } from "../../test/kit/stack/benchStacks.ts";
import { storeSessionsInBulk } from "./bulkSessions.ts";
import { websiteIdOf, writeEvents } from "./events.ts";
import { openLookout } from "./lookout.ts";

type Size = { readonly events: number; readonly websites: number; readonly days: number };

/** Measures on a stack with events of the last days, today included, and their stored sessions. `measure` gets the ids of the websites. */
export async function withStoredWebsites<T>(
  { stack, filesFolder, questdb }: BenchStack,
  { events, websites, days }: Size,
  measure: (ids: readonly string[]) => Promise<T>,
): Promise<T> {
  const firstMs = Math.floor(Date.now() / dayMs) * dayMs - (days - 1) * dayMs;
  const places = Array.from({ length: websites }, (_, index) => index + 1);
  const ids = places.map(websiteIdOf);
  say("making the rows");
  const files = await writeEvents(filesFolder, { events, websites, firstMs, days, measured: places });
  const lookout = await openLookout(stack, websites);
  try {
    say("loading the events");
    await lookout.load("events", files.events[0]);
    await lookout.load("outgoing_links", files.links[0]);
    say("storing sessions");
    // Notes the first events, and corrects nothing.
    await lookout.correct(Date.now(), []);
    await storeSessionsInBulk(questdb, ids, { firstMs, days });
    return await measure(ids);
  } finally {
    await lookout.close();
  }
}

function say(line: string): void {
  console.error(line);
}
