import { t } from "../texts/texts.ts";

/** Shown for a figure that does not exist, such as the average of no visits: 0 would be a figure. */
export function NoValue() {
  return (
    <span class="no-value">
      <span aria-hidden="true">–</span>
      <span class="said">{t().app.noValue}</span>
    </span>
  );
}
