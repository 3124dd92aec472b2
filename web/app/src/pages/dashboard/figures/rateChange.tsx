import { formatPercent } from "../../../texts/format.ts";
import { ChangeText } from "./changeText.tsx";

type RateChangeProps = {
  /** Percent; null or undefined where it is not known. */
  readonly rate: number | null | undefined;
  readonly before: number | null | undefined;
  /** The time of the rate before. */
  readonly time: string;
};

/** How a rate has changed: more visitors may reach a goal while a smaller share of them does. */
export function RateChange({ rate, before, time }: RateChangeProps) {
  return <ChangeText value={rate} before={before} format={formatPercent} moreIs="better" unit="points" time={time} />;
}
