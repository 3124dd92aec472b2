import { useSignal } from "@preact/signals";
import type { LookoutQuery } from "../../../../../../packages/client-js/src/query.ts";
import { t } from "../../../texts/texts.ts";
import { useModule } from "../../../ui/useModule.ts";

/** A button that shows what is on screen as a call of the API. */
export function CopyMenu({ question }: { readonly question: LookoutQuery }) {
  const isOpen = useSignal(false);
  // Few people open it, so it is not part of the first load.
  const dialog = useModule(() => import("./callDialog.tsx"), isOpen.value);
  return (
    <>
      <button
        type="button"
        class="button button-plain"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {t().copy.open}
      </button>
      {dialog !== undefined && isOpen.value && (
        <dialog.CallDialog
          question={question}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}
