/** At most `count` of some values, evenly spread: the first and the last one among them. */
export function spread<T>(values: readonly T[], count: number): readonly T[] {
  if (values.length <= count) return values;
  const step = (values.length - 1) / Math.max(1, count - 1);
  const indexes = Array.from({ length: count }, (_, index) => Math.round(index * step));
  return values.filter((_, index) => indexes.includes(index));
}
