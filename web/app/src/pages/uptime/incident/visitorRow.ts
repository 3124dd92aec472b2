/** A step of the chart. What is not known is null, a band that cannot be told undefined. */
export type VisitorRow = {
  readonly fromMs: number;
  readonly now: number | null;
  readonly usual: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
};
