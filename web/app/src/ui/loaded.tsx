import type { ComponentChildren, VNode } from "preact";
import type { LookoutError } from "../api/client.ts";
import type { CallState } from "../api/useCall.ts";
import { t } from "../texts/texts.ts";
import { ErrorNotice } from "./errorNotice.tsx";

type LoadedProps<T> = {
  readonly state: CallState<T>;
  /** The probable height of the answer, so that nothing moves when it arrives. */
  readonly height?: string;
  /** Shown instead of an empty answer. */
  readonly empty?: string;
  readonly isEmpty?: (value: T) => boolean;
  /** Shown instead of an answer that failed; a notice unless given. */
  readonly failed?: (error: LookoutError, onRetry: () => void) => VNode;
  readonly children: (value: T) => ComponentChildren;
};

/** Shows an answer, or that it is on its way, empty or failed. */
export function Loaded<T>({ state, height = "8rem", empty, isEmpty, failed, children }: LoadedProps<T>) {
  const { value, error, reload } = state;
  if (value === undefined && error !== undefined)
    return failed === undefined ? <ErrorNotice error={error} onRetry={reload} /> : failed(error, reload);
  if (value === undefined)
    return (
      <div class="waiting" style={{ minBlockSize: height }} aria-busy="true">
        <p class="said">{t().app.loading}</p>
      </div>
    );
  if (empty !== undefined && isEmpty?.(value) === true) return <p class="nothing">{empty}</p>;
  return <>{children(value)}</>;
}
