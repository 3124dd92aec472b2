import { median } from "../../test/kit/load/figures.ts";
import { clickhouseQueries } from "./clickhouseSql.ts";
import type { Lookout } from "./lookout.ts";
import { dayOf, days, type Place } from "./queried.ts";

/** By then all kinds of statements are compiled, also by the JVM, and answered as fast as they will be. */
const warmUps = 15;
const growthRounds = 11;

/**
 * Over the longest range through the API, by size and type, the median of a larger store over that of a smaller one. They are queried in
 * turn, so that a machine that is slow for some minutes affects both, and neither finds its rows in the processor's cache
 * from the query before.
 */
export async function growthOf(
  smaller: Lookout,
  larger: Lookout,
  sizes: readonly Place[],
  isSmoke: boolean,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, { readonly smaller: number[]; readonly larger: number[] }>();
  const [first, end] = isSmoke ? [0, 1] : [-warmUps, growthRounds];
  for (let round = first; round < end; round += 1)
    for (const [size, place] of sizes)
      for (const type of Object.keys(clickhouseQueries)) {
        const target = { place, from: dayOf(0), until: dayOf(days) };
        const ofSmaller = await smaller.ask(type, target);
        const ofLarger = await larger.ask(type, target);
        if (round < 0) continue;
        const key = `${size} ${type}`;
        const found = times.get(key) ?? { smaller: [], larger: [] };
        found.smaller.push(ofSmaller.ms);
        found.larger.push(ofLarger.ms);
        times.set(key, found);
      }
  return new Map([...times].map(([key, found]) => [key, median(found.larger) / median(found.smaller)]));
}
