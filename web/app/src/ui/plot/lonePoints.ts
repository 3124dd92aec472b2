/** Indexes of values without a neighbour, which no line reaches. */
export function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const isThere = (index: number): boolean => values[index] !== null && values[index] !== undefined;
  return Array.from({ length: values.length }, (_, index) => index).filter(
    (index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1),
  );
}
