import { hrefTo } from "../router/router.ts";
import { t } from "../texts/texts.ts";

export function NotFound() {
  return (
    <section class="card">
      <h1>{t().app.notFound}</h1>
      <p>{t().app.notFoundText}</p>
      <a class="button" href={hrefTo([])}>
        {t().app.toStart}
      </a>
    </section>
  );
}
