import type { LookoutErrorDetail } from "../../../../packages/client-js/src/lookoutError.ts";
import { LookoutError } from "./client.ts";

type FailedAnswer = { readonly error: string | null; readonly detail: LookoutErrorDetail | null };

/** The error of a parameter that the service did not answer. */
export function failedAnswer(answer?: FailedAnswer): LookoutError {
  return new LookoutError("QUERY_ERROR", answer?.error ?? "", { details: answer?.detail ? [answer.detail] : [] });
}
