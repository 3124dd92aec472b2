import { Counter, type Registry } from "prom-client";

/** The caches of look-ups in PostgreSQL; the labels of the metrics. */
const cacheNames = ["websites", "keys", "sessions", "links"] as const;

/** Look-ups that a cache answered, and that waited for PostgreSQL. The cache increments them. */
export type CacheCounts = { hits: number; misses: number };

/** The counts of each cache, which the registry serves. Plain numbers: each call looks something up. */
export function cacheCounts(registry: Registry): Readonly<Record<(typeof cacheNames)[number], CacheCounts>> {
  const counts = { websites: newCounts(), keys: newCounts(), sessions: newCounts(), links: newCounts() };
  const serve = (name: string, help: string, kind: keyof CacheCounts) =>
    new Counter({
      name,
      help,
      labelNames: ["cache"],
      registers: [registry],
      collect() {
        this.reset();
        for (const cache of cacheNames) this.inc({ cache }, counts[cache][kind]);
      },
    });
  serve("lookout_cache_hits_total", "Look-ups that a cache answered", "hits");
  serve("lookout_cache_misses_total", "Look-ups that waited for PostgreSQL", "misses");
  return counts;
}

function newCounts(): CacheCounts {
  return { hits: 0, misses: 0 };
}
