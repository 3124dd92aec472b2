import { isAudienceOnly } from "../api/audienceOnly.ts";
import type { LookoutError } from "../api/client.ts";
import { t } from "../texts/texts.ts";
import { ownErrorText } from "./ownErrorText.ts";

type ErrorNoticeProps = {
  readonly error: LookoutError;
  /** Texts for codes with a special meaning here. */
  readonly texts?: Partial<Record<LookoutError["code"], string>>;
  readonly onRetry?: () => void;
};

/** Says what went wrong and what to do. */
export function ErrorNotice({ error, texts = {}, onRetry }: ErrorNoticeProps) {
  // Nothing failed: it is switched off.
  if (isAudienceOnly(error)) return <p class="notice">{t().errors.audienceOnly}</p>;
  const own = texts[error.code];
  return (
    <div class="notice notice-bad" role="alert">
      <p>{own ?? errorText(error)}</p>
      {/* What a page has words of its own for is expected, and nobody has to look it up. */}
      {own === undefined && error.requestId !== undefined && (
        <p class="field-hint">{t().errors.requestId(error.requestId)}</p>
      )}
      {onRetry !== undefined && (
        <button type="button" class="button" onClick={onRetry}>
          {t().app.retry}
        </button>
      )}
    </div>
  );
}

/** An error's text in the current language; errors that only the service can describe keep its words. */
export function errorText(error: LookoutError): string {
  if (isAudienceOnly(error)) return t().errors.audienceOnly;
  return ownErrorText(error.code, t()) ?? error.message;
}
