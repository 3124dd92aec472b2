import { t } from "../texts/texts.ts";

/** A page whose code could not be loaded. */
export function PageFailed() {
  return (
    <section class="card" role="alert">
      <h1>{t().app.pageFailed}</h1>
      <button type="button" class="button" onClick={() => location.reload()}>
        {t().app.retry}
      </button>
    </section>
  );
}
