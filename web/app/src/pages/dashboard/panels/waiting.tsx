import { t } from "../../../texts/texts.ts";

/** Placeholder rows with the height of the answer. */
export function Waiting() {
  return (
    <>
      <p class="said">{t().app.loading}</p>
      <div class="waiting-rows" />
    </>
  );
}
