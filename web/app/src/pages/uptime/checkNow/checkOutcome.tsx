import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { CheckResultBox } from "./checkResult.tsx";
import type { CheckState } from "./useCheck.ts";

/** That a check is on its way, its result, or why there is none. */
export function CheckOutcome({ check }: { readonly check: CheckState }) {
  return (
    <div aria-live="polite" class="check-outcome">
      {check.isChecking && <p class="field-hint">{allTexts().incident.testing}</p>}
      {check.error !== undefined && <ErrorNotice error={check.error} />}
      {check.result !== undefined && <CheckResultBox result={check.result} />}
    </div>
  );
}
