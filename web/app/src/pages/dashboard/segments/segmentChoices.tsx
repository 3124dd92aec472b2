import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { may } from "../../../api/session.ts";
import { t } from "../../../texts/texts.ts";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { MenuItem } from "../../../ui/menu.tsx";
import { useDashboard } from "../context.ts";
import { showView } from "../view/currentView.ts";
import { hasSameFilters, type SavedSegment } from "./savedSegment.ts";
import type { SegmentAct } from "./segmentDialog.tsx";
import { knownSegments, loadSegments, segmentList } from "./segmentList.ts";
import "../../../styles/segments.css";

/** The segment that the address names, if the person sees it. */
function useChosen(): SavedSegment | undefined {
  const { websiteId, view } = useDashboard();
  return knownSegments(websiteId)?.find(({ id }) => id === view.segment);
}

/** The text of the menu's button: the chosen segment, and whether its filters have been changed since. */
export function SegmentLabel() {
  const { websiteId, view } = useDashboard();
  const { segments: texts } = t();
  const chosen = useChosen();
  const isNamed = view.segment !== undefined;
  useEffect(() => {
    if (isNamed) void loadSegments(websiteId);
  }, [websiteId, isNamed]);
  if (chosen === undefined) return <>{texts.title}</>;
  return <>{hasSameFilters(view.filters, chosen) ? chosen.name : texts.changed(chosen.name)}</>;
}

/** Shows something only where there are segments. */
export function IfAnySegment({ children }: { readonly children: ComponentChildren }) {
  const { websiteId } = useDashboard();
  useEffect(() => void loadSegments(websiteId), [websiteId]);
  return (knownSegments(websiteId) ?? []).length === 0 ? null : children;
}

type SegmentChoicesProps = {
  readonly onAct: (act: SegmentAct) => void;
  readonly onChosen?: () => void;
};

/** The segments, and what can be done with the filters on screen and with the chosen segment. */
export function SegmentChoices({ onAct, onChosen }: SegmentChoicesProps) {
  const { websiteId, view, isMember } = useDashboard();
  const { segments: texts, app } = t();
  const chosen = useChosen();
  useEffect(() => void loadSegments(websiteId), [websiteId]);
  const known = knownSegments(websiteId);
  const error = segmentList.value?.error;
  if (known === undefined)
    return error === undefined ? (
      <p class="menu-heading">{app.loading}</p>
    ) : (
      <ErrorNotice error={error} onRetry={() => void loadSegments(websiteId)} />
    );
  const isChanged = chosen !== undefined && !hasSameFilters(view.filters, chosen);
  const mayChange = chosen !== undefined && isMember && (!chosen.isShared || may("update"));
  const groups = [
    [texts.shared, known.filter(({ isShared }) => isShared)],
    [texts.own, known.filter(({ isShared }) => !isShared)],
  ] as const;
  return (
    <div class="segment-choices">
      {view.segment !== undefined && chosen === undefined && <p class="menu-heading">{texts.gone}</p>}
      {known.length === 0 && <p class="menu-heading">{texts.none}</p>}
      {groups.map(
        ([title, segments]) =>
          segments.length > 0 && (
            <section key={title} aria-label={title}>
              <p class="menu-heading">{title}</p>
              {segments.map((segment) => (
                <MenuItem
                  key={segment.id}
                  isCurrent={segment.id === chosen?.id}
                  onChoose={() => {
                    showView({ ...view, filters: segment.filters, segment: segment.id });
                    onChosen?.();
                  }}
                >
                  <span class="segment-name">{segment.name}</span>
                </MenuItem>
              ))}
            </section>
          ),
      )}
      {isMember && view.filters.length > 0 && (
        <>
          <hr class="menu-line" />
          {mayChange && isChanged && (
            <MenuItem onChoose={() => onAct({ kind: "replace", segment: chosen })}>{texts.replace}</MenuItem>
          )}
          <MenuItem onChoose={() => onAct({ kind: "save" })}>{texts.save}</MenuItem>
          {mayChange && (
            <>
              <MenuItem onChoose={() => onAct({ kind: "edit", segment: chosen })}>{texts.edit(chosen.name)}</MenuItem>
              <MenuItem onChoose={() => onAct({ kind: "delete", segment: chosen })}>
                {texts.delete(chosen.name)}
              </MenuItem>
            </>
          )}
        </>
      )}
    </div>
  );
}
