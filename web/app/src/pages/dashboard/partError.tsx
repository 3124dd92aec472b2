import { useEffect, useRef } from "preact/hooks";
import type { LookoutError } from "../../api/client.ts";
import { t } from "../../texts/texts.ts";
import { ErrorNotice } from "../../ui/errorNotice.tsx";
import { useDashboard } from "./context.ts";
import { isSaidAbove } from "./isSaidAbove.ts";

type PartErrorProps = { readonly error: LookoutError; readonly onRetry: () => void };

/**
 * Why a part of the overview shows nothing. What the notice of the key figures says already is not said again by each part; once it is gone, because
 * the figures are asked again, so is the part.
 */
export function PartError({ error, onRetry }: PartErrorProps) {
  const { failure } = useDashboard();
  const isSaid = isSaidAbove(error, failure.value);
  const wasSaid = useRef(isSaid);
  useEffect(() => {
    if (wasSaid.current && !isSaid) onRetry();
    wasSaid.current = isSaid;
  }, [isSaid]);
  if (isSaid) return <p class="panel-empty">{t().panels.notLoaded}</p>;
  return <ErrorNotice error={error} onRetry={onRetry} />;
}

/** The same, for `Loaded`. */
export function partError(error: LookoutError, onRetry: () => void) {
  return <PartError error={error} onRetry={onRetry} />;
}
