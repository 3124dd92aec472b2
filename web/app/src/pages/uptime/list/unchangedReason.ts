import type { LookoutError } from "../../../api/client.ts";
import type { AllTexts } from "../../../texts/settings/settingsTexts.ts";
import { ownErrorText } from "../../../ui/ownErrorText.ts";

/** Why a monitor could not be changed, in the language on screen. What only the service can describe is found by the request. */
export function unchangedReason(
  { code, requestId }: Pick<LookoutError, "code" | "requestId">,
  texts: Pick<AllTexts, "errors" | "uptime">,
): string {
  if (code === "NOT_FOUND") return texts.uptime.monitorGone;
  const own = ownErrorText(code, texts) ?? texts.uptime.monitorRefused;
  return requestId === undefined ? own : `${own} ${texts.errors.requestId(requestId)}`;
}
