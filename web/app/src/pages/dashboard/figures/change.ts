export type Change = { readonly percent: number; readonly isGood: boolean | undefined };

/** How a figure has changed, in percent of what it was. Undefined where it was nothing. */
export function changeOf(now: number, before: number, moreIs: "better" | "worse"): Change | undefined {
  if (before === 0) return now === 0 ? { percent: 0, isGood: undefined } : undefined;
  const percent = Math.round(((now - before) / before) * 1_000) / 10;
  return { percent, isGood: percent === 0 ? undefined : percent > 0 === (moreIs === "better") };
}
