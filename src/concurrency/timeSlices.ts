/**
 * Long computations yield to other requests. All requests share the event loop: one that sorts half a million texts in
 * one go would keep health checks and every other website waiting. So such work checks `sliceIsOver` now and then and,
 * when it is, awaits `nextSlice`.
 */

/**
 * How long computations together may block the event loop before other events are handled. Two slices can meet in one
 * event-loop tick: one of a computation that resumes and one of a socket's data. A tick takes 50 ms at most, also on a
 * slow machine.
 */
const sliceMs = 5;

/** When the slice of the current tick ends; undefined while nothing has used it. */
let endsMs: number | undefined;
/** Computations that wait for their next slice; each event-loop tick resumes the first one. */
const waiting: (() => void)[] = [];

/** Whether computations have used up their time in this event-loop tick. */
export function sliceIsOver(): boolean {
  const nowMs = performance.now();
  if (endsMs === undefined) {
    endsMs = nowMs + sliceMs;
    setImmediate(beginTurn);
  }
  return nowMs >= endsMs;
}

/** Resolves when other events were handled and all computations that waited before have resumed. */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (endsMs !== undefined) return;
    endsMs = performance.now() + sliceMs;
    setImmediate(beginTurn);
  });
}

function beginTurn(): void {
  const resume = waiting.shift();
  if (resume === undefined) {
    endsMs = undefined;
    return;
  }
  endsMs = performance.now() + sliceMs;
  setImmediate(beginTurn);
  resume();
}

/** Runs `work` on each item, in slices. */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  for (const item of items) {
    work(item);
    if (sliceIsOver()) await nextSlice();
  }
}

/** The result of `map` for each item, in slices. */
export async function mapInSlices<T, R>(items: Iterable<T>, map: (item: T, index: number) => R): Promise<R[]> {
  const mapped: R[] = [];
  for (const item of items) {
    mapped.push(map(item, mapped.length));
    if (sliceIsOver()) await nextSlice();
  }
  return mapped;
}

/** Items sorted in one go: about a millisecond. */
const runLength = 1_000;

/** The items in order, sorted in slices. Stable, like Array.sort. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).sort(compare));
    if (sliceIsOver()) await nextSlice();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await mergeInSlices(runs[index] ?? [], runs[index + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeInSlices<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const merged: T[] = [];
  let [atA, atB] = [0, 0];
  while (atA < a.length || atB < b.length) {
    const [itemA, itemB] = [a[atA] as T, b[atB] as T];
    if (atB >= b.length || (atA < a.length && compare(itemA, itemB) <= 0)) {
      merged.push(itemA);
      atA += 1;
    } else {
      merged.push(itemB);
      atB += 1;
    }
    if (merged.length % 64 === 0 && sliceIsOver()) await nextSlice();
  }
  return merged;
}
