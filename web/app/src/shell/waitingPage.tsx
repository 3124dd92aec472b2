import { t } from "../texts/texts.ts";

/** A page before it is known what it shows: as high as the window, so that what is below it does not move when it is. */
export function WaitingPage() {
  return (
    <div class="waiting-page" aria-busy="true">
      <p class="said">{t().app.loading}</p>
      <div class="waiting waiting-title" />
      <div class="waiting waiting-part" />
    </div>
  );
}
