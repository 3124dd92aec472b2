import { nextSlice, sliceIsOver } from "../../concurrency/timeSlices.ts";

/**
 * The median; of two middle values the lower. Undefined for no values. Hoare's quickselect, which visits about three
 * times as many values as there are; sorting five million would block the event loop for half a second.
 */
export async function lowerMedian(given: readonly number[]): Promise<number | undefined> {
  const values = Float64Array.from(given);
  const middle = Math.ceil(values.length / 2) - 1;
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[low + Math.floor(Math.random() * (high - low + 1))] ?? 0;
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left += 1;
      while ((values[right] ?? 0) > pivot) right -= 1;
      if (left > right) break;
      const swapped = values[left] ?? 0;
      values[left] = values[right] ?? 0;
      values[right] = swapped;
      left += 1;
      right -= 1;
    }
    if (middle <= right) high = right;
    else if (middle >= left) low = left;
    else break;
    if (sliceIsOver()) await nextSlice();
  }
  return values[middle];
}
