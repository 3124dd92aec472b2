/**
 * Runs `work` on each item, at most `atOnce` at a time, and returns the results in the order of the items. Rejects with
 * the first failure.
 */
export async function runConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  // The lanes share one iterator: each takes the next item as soon as it is free.
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) results.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
