import type { PlacedMark } from "./chartMarks.ts";

/** Where the lines of a chart are within its element, in pixels of the page. */
export type PlotBox = { readonly startPx: number; readonly widthPx: number };

/** Marks that are too near to each other to be pressed one by one, and where they are in the chart's element, in pixels of the page. */
export type MarkGroup = { readonly marks: readonly PlacedMark[]; readonly startPx: number; readonly widthPx: number };

/** The least width of what is pressed (WCAG 2.2, 2.5.8). */
const leastPx = 24;

/** Groups marks by where they are among `buckets` buckets, from left to right. */
export function markGroups(marks: readonly PlacedMark[], buckets: number, box: PlotBox): MarkGroup[] {
  const pxOf = (bucket: number): number => box.startPx + (buckets < 2 ? 0.5 : bucket / (buckets - 1)) * box.widthPx;
  const places = marks
    .map((mark) => {
      const [from, until] = [pxOf(mark.first), pxOf(mark.last)];
      const lackPx = Math.max(0, leastPx - (until - from)) / 2;
      return { marks: [mark], startPx: from - lackPx, widthPx: until - from + 2 * lackPx };
    })
    .toSorted((one, other) => one.startPx - other.startPx);
  const groups: MarkGroup[] = [];
  for (const place of places) {
    const last = groups.at(-1);
    if (last === undefined || place.startPx >= last.startPx + last.widthPx) groups.push(place);
    else {
      const endPx = Math.max(last.startPx + last.widthPx, place.startPx + place.widthPx);
      const marksOfBoth = [...last.marks, ...place.marks];
      groups.splice(-1, 1, { marks: marksOfBoth, startPx: last.startPx, widthPx: endPx - last.startPx });
    }
  }
  return groups;
}
