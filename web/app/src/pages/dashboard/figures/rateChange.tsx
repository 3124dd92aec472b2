import { ChangeText } from "../../../figures/changeText.tsx";
import { formatPercent } from "../../../texts/format.ts";

type RateChangeProps = {
  /** Percent; null or undefined if unknown. */
  readonly rate: number | null | undefined;
  readonly before: number | null | undefined;
  /** The time of the earlier rate. */
  readonly time: string;
};

/** How a rate has changed. It may fall while more visitors reach a goal. */
export function RateChange({ rate, before, time }: RateChangeProps) {
  return <ChangeText value={rate} before={before} format={formatPercent} moreIs="better" unit="points" time={time} />;
}
