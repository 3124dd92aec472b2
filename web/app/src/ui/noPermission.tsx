import { t } from "../texts/texts.ts";

/** Shown instead of a page that needs another role. */
export function NoPermission() {
  return <p class="notice">{t().errors.noPermission}</p>;
}
