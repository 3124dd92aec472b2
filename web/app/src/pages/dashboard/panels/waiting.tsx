import { t } from "../../../texts/texts.ts";

/** Rows of the height that the answer will have. */
export function Waiting() {
  return (
    <>
      <p class="said">{t().app.loading}</p>
      <div class="waiting-rows" />
    </>
  );
}
