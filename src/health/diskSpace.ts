/** The free space of a disk at a time. */
export type SpaceSample = { readonly atMs: number; readonly freeBytes: number };

/** How much is free, and after which time it is used up at the current rate; undefined if that is unknown or never. */
export type SpaceLeft = { readonly freeBytes: number; readonly secondsLeft: number | undefined };

/** The rate is measured over this time. */
export const windowMs = 3_600_000;
/** A rate over a shorter time says nothing: a single large file, such as that of a build, would look like a disk that fills. */
const minSpanMs = 1_800_000;

/** Adds a sample, newest last, and drops those before the window. */
export function addSample(samples: readonly SpaceSample[], sample: SpaceSample): readonly SpaceSample[] {
  return [...samples.filter(({ atMs }) => atMs > sample.atMs - windowMs), sample];
}

/**
 * What is left according to samples of the last hour, newest last. Uses the lower rate of the whole time and its second half, so
 * that one large file does not count as a disk that fills.
 */
export function spaceLeft(samples: readonly SpaceSample[]): SpaceLeft {
  const last = samples.at(-1);
  const first = samples[0];
  if (first === undefined || last === undefined) return { freeBytes: 0, secondsLeft: undefined };
  const { freeBytes } = last;
  const spanMs = last.atMs - first.atMs;
  if (spanMs < minSpanMs) return { freeBytes, secondsLeft: undefined };
  const middle = samples.findLast(({ atMs }) => atMs <= last.atMs - spanMs / 2) ?? first;
  const bytesPerSecond = Math.min(rate(first, last), rate(middle, last));
  return { freeBytes, secondsLeft: bytesPerSecond > 0 ? freeBytes / bytesPerSecond : undefined };
}

function rate(from: SpaceSample, to: SpaceSample): number {
  return (from.freeBytes - to.freeBytes) / ((to.atMs - from.atMs) / 1_000);
}

/** QuestDB preallocates files of 16 MiB: with less than a few of them it cannot write. */
export const fullBytes = 67_108_864;

/** Limits below which a disk counts as nearly full. */
export type DiskLimits = { readonly minFreeBytes: number; readonly minTimeLeftMs: number };

export function decideDisk(
  { freeBytes, secondsLeft }: SpaceLeft,
  { minFreeBytes, minTimeLeftMs }: DiskLimits,
): "disk_full" | "disk_low" | undefined {
  if (freeBytes < fullBytes) return "disk_full";
  if (freeBytes < minFreeBytes) return "disk_low";
  return secondsLeft !== undefined && secondsLeft * 1_000 < minTimeLeftMs ? "disk_low" : undefined;
}

/** "2.4 GiB are free, at the current rate for 3.2 hours". */
export function spaceText({ freeBytes, secondsLeft }: SpaceLeft): string {
  const left = secondsLeft === undefined ? "" : `, at the current rate for ${hours(secondsLeft)}`;
  return `${bytesText(freeBytes)} are free${left}`;
}

function bytesText(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  return mebibytes < 1_024 ? `${Math.floor(mebibytes)} MiB` : `${(mebibytes / 1_024).toFixed(1)} GiB`;
}

function hours(seconds: number): string {
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} minutes` : `${(seconds / 3_600).toFixed(1)} hours`;
}
