/** Values of buckets; null where nothing was measured. */
type Values = readonly (number | null)[];

/**
 * What a line is drawn of: the buckets that are over. The one that is not has only a part of its events, so a line to it would seem to fall.
 * It is -1 if all are over.
 */
export function fullBuckets(values: Values, current: number): Values {
  const over = current < 0 ? values.length : current;
  return values.map((value, index) => (index < over ? value : null));
}

/** The bucket that is not over yet, which is drawn as a point. */
export function currentBucket(values: Values, current: number): Values {
  return values.map((value, index) => (index === current ? value : null));
}

/** A line from the last bucket that is over to where the current one leads; nothing without a projection. */
export function runningLine(values: Values, current: number, projection: number | undefined): Values {
  return values.map((value, index) => {
    if (projection === undefined || current < 1) return null;
    return index === current ? projection : index === current - 1 ? value : null;
  });
}
