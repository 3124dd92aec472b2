/** The first and the last bucket of a time of which nothing is known. */
export type Run = { readonly first: number; readonly last: number };

/** Runs of buckets of which nothing is known: counts of nothing are 0, so null says that nothing was kept. The bucket that is not over ends the search. */
export function unknownRuns(counts: readonly (number | null)[], current: number): Run[] {
  const over = current < 0 ? counts.length : current;
  const runs: { first: number; last: number }[] = [];
  for (let index = 0; index < over; index++) {
    if (counts[index] !== null) continue;
    const last = runs.at(-1);
    if (last?.last === index - 1) last.last = index;
    else runs.push({ first: index, last: index });
  }
  return runs;
}
