/** What a screen reader was told last, and when. */
export type Spoken = { readonly atMs: number; readonly visitors: number; readonly total: number };

/** A screen reader is told no more often. */
export const speechEveryMs = 60_000;

/**
 * Whether to say how many visitors are here: the first time, and then at most once a minute if that number or what happened has changed. Each
 * event would be too much to listen to.
 */
export function isNews(last: Spoken | undefined, now: Spoken): boolean {
  if (last === undefined) return true;
  if (now.atMs - last.atMs < speechEveryMs) return false;
  return last.visitors !== now.visitors || last.total !== now.total;
}
