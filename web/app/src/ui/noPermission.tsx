import { t } from "../texts/texts.ts";

/** Instead of a page that only people with another role may use. */
export function NoPermission() {
  return <p class="notice">{t().errors.noPermission}</p>;
}
