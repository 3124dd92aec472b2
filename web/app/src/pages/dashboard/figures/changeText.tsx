import { formatPercent } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { changeOf } from "./change.ts";

/** A figure; undefined until known, null where nothing was measured. */
type Value = number | null | undefined;

type ChangeTextProps = {
  readonly value: Value;
  readonly before: Value;
  readonly format: (value: number) => string;
  readonly moreIs: "better" | "worse";
  /** The time of the figure before. */
  readonly time: string;
};

/** How a figure has changed. Only what both periods have is compared: nothing is neither more nor less than before. */
export function ChangeText({ value, before, format, moreIs, time }: ChangeTextProps) {
  if (!isMeasured(value) || !isMeasured(before)) return null;
  const { dashboard } = t();
  const explanation = dashboard.comparedWith(format(before), time);
  const change = changeOf(value, before, moreIs);
  const direction =
    change === undefined || change.percent === 0 ? "same" : change.percent > 0 ? "up" : ("down" as const);
  return (
    <span class="change" data-good={change?.isGood} title={explanation}>
      {change === undefined ? (
        dashboard.fromNothing
      ) : (
        <>
          <span aria-hidden="true">{arrows[direction]}</span>
          <span class="said">{dashboard.directions[direction]} </span>
          {formatPercent(Math.abs(change.percent), Math.abs(change.percent) < 10 ? 1 : 0)}
        </>
      )}
      <span class="said"> {explanation}</span>
    </span>
  );
}

const arrows = { up: "↑ ", down: "↓ ", same: "" } as const;

function isMeasured(value: Value): value is number {
  return value !== undefined && value !== null;
}
