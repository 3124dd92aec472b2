import type { PreviewRetentionResponse } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { may } from "../../../api/session.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../../ui/actionButton.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { RowCounts } from "../../../ui/rowCounts.tsx";
import { Time } from "../../../ui/time.tsx";
import { type Days, daysOf, periods } from "./periods.ts";

type RetentionPreviewProps = {
  readonly current: Days;
  readonly preview: PreviewRetentionResponse;
  readonly onApply: () => Promise<void>;
  readonly onClose: () => void;
};

/** What new periods would erase, before they are set. */
export function RetentionPreview({ current, preview, onApply, onClose }: RetentionPreviewProps) {
  const { retention: texts, form, app } = allTexts();
  const next = daysOf(preview.retention);
  const changed = periods.filter((period) => next[period] !== current[period]);
  const isShorter = preview.effectiveAt !== undefined;
  const isAllowed = !isShorter || may("delete:data");
  const mayApply = changed.length > 0 && isAllowed;
  return (
    <Dialog title={texts.previewTitle} onClose={onClose}>
      {changed.length === 0 ? (
        <p>{texts.nothingChanges}</p>
      ) : (
        <ul>
          {changed.map((period) => (
            <li key={period}>{texts.change(texts.periods[period], current[period], next[period])}</li>
          ))}
        </ul>
      )}
      {preview.effectiveAt !== undefined && (
        <>
          <p>
            {texts.effectiveAt} <Time at={preview.effectiveAt} />. {texts.untilThen}
          </p>
          <h3>{texts.wouldErase}</h3>
          <RowCounts label={texts.wouldErase} rows={preview.wouldErase} />
        </>
      )}
      {changed.length > 0 && !isShorter && <p>{texts.longer}</p>}
      {!isAllowed && <p class="notice">{texts.mayNotShorten}</p>}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          {mayApply ? form.cancel : app.close}
        </button>
        {mayApply && (
          <ActionButton
            class={isShorter ? "button button-bad" : "button button-main"}
            onAct={async () => {
              await onApply();
              onClose();
            }}
          >
            {texts.apply}
          </ActionButton>
        )}
      </div>
    </Dialog>
  );
}
