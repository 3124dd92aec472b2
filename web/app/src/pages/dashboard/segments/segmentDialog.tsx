import { t } from "../../../texts/texts.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { useSending } from "../../../ui/useSending.ts";
import { useDashboard } from "../context.ts";
import { showView } from "../view/currentView.ts";
import { queryFilters } from "../view/queryFilters.ts";
import type { SavedSegment } from "./savedSegment.ts";
import { SegmentForm } from "./segmentForm.tsx";
import { loadSegments, segmentService } from "./segmentList.ts";

/** What is done with the filters on screen, or with the chosen segment. */
export type SegmentAct =
  | { readonly kind: "save" }
  | { readonly kind: "edit" | "replace" | "delete"; readonly segment: SavedSegment };

type SegmentDialogProps = { readonly act: SegmentAct; readonly onClose: () => void };

/** Saves the filters on screen as a segment, or changes or deletes the chosen one. */
export function SegmentDialog({ act, onClose }: SegmentDialogProps) {
  const { websiteId, view } = useDashboard();
  const { segments: texts, more } = t();
  const { isSending, error, send } = useSending();
  const filters = queryFilters(view.filters);
  const run = async (change: () => Promise<void>): Promise<void> => {
    await send(async () => {
      try {
        await change();
      } finally {
        // Somebody else may have deleted or renamed it.
        await loadSegments(websiteId);
      }
      onClose();
    });
  };
  const state = { isSending, error, onClose };
  if (act.kind === "save")
    return (
      <Dialog title={texts.saveTitle} onClose={onClose}>
        <SegmentForm
          {...state}
          name=""
          isShared={false}
          onSave={({ name, shared }) =>
            void run(async () => {
              const { segment } = await segmentService.createSegment({ websiteId, name, filters, shared });
              showView({ ...view, segment: segment?.id });
            })
          }
        />
      </Dialog>
    );
  const { segment } = act;
  const { id } = segment;
  if (act.kind === "edit")
    return (
      <Dialog title={texts.edit(segment.name)} onClose={onClose}>
        <SegmentForm
          {...state}
          name={segment.name}
          isShared={segment.isShared}
          onSave={({ name, shared }) =>
            void run(async () => {
              await segmentService.updateSegment({ id, name, ...(shared === segment.isShared ? {} : { shared }) });
            })
          }
        />
      </Dialog>
    );
  const isDeletion = act.kind === "delete";
  return (
    <Dialog title={isDeletion ? texts.deleteTitle(segment.name) : texts.replaceTitle(segment.name)} onClose={onClose}>
      <p>{isDeletion ? texts.deleteText : texts.replaceText}</p>
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          {t().form.cancel}
        </button>
        <button
          type="button"
          class={isDeletion ? "button button-bad" : "button button-main"}
          disabled={isSending}
          onClick={() =>
            void run(async () => {
              if (!isDeletion) return void (await segmentService.updateSegment({ id, filters }));
              await segmentService.deleteSegment({ id });
              showView({ ...view, segment: undefined });
            })
          }
        >
          {isDeletion ? texts.deleteNow : more.save}
        </button>
      </div>
    </Dialog>
  );
}
