/**
 * Which of the chips gets the focus after they have changed: the new one, else the one that is now where one was removed. -1 if there is none any
 * more, undefined if nothing has changed.
 */
export function nextFocus(before: readonly string[], now: readonly string[]): number | undefined {
  const added = now.findIndex((name) => !before.includes(name));
  if (added !== -1) return added;
  const removed = before.findIndex((name) => !now.includes(name));
  if (removed === -1) return undefined;
  return Math.min(removed, now.length - 1);
}
