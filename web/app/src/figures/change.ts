/** In percent of the earlier figure, or in percentage points. `isGood` is undefined if the change is neither good nor bad. */
export type Change = { readonly size: number; readonly isGood: boolean | undefined };

export type ChangeUnit = "percent" | "points";

type Reading = { readonly moreIs: "better" | "worse"; readonly unit: ChangeUnit };

/** How a figure has changed, to a tenth. Undefined for a change in percent of 0. */
export function changeOf(now: number, before: number, { moreIs, unit }: Reading): Change | undefined {
  if (unit === "percent" && before === 0) return now === 0 ? { size: 0, isGood: undefined } : undefined;
  const size = Math.round((unit === "points" ? now - before : ((now - before) / before) * 100) * 10) / 10;
  return { size, isGood: size === 0 ? undefined : size > 0 === (moreIs === "better") };
}
