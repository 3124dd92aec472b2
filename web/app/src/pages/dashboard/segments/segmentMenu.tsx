import { useSignal } from "@preact/signals";
import { t } from "../../../texts/texts.ts";
import { Menu } from "../../../ui/menu.tsx";
import { useModule } from "../../../ui/useModule.ts";
import { useDashboard } from "../context.ts";
import type { SegmentAct } from "./segmentDialog.tsx";

/** The saved filters of the website. The list is loaded when it is opened, or when the address names a segment. */
export function SegmentMenu() {
  const { view, isMember, types, hasFigures } = useDashboard();
  const texts = t();
  const isOpened = useSignal(false);
  const act = useSignal<SegmentAct | undefined>(undefined);
  // A link has its own filters.
  const isNeeded = types === undefined && hasFigures.value && (view.segment !== undefined || !isMember);
  const parts = useModule(() => import("./segmentParts.ts"), isOpened.value || isNeeded);
  const menu = (
    <div class="segment-menu bar-wide" data-segments>
      <Menu
        label={texts.segments.title}
        button={parts === undefined ? texts.segments.title : <parts.SegmentLabel />}
        onOpen={() => {
          isOpened.value = true;
        }}
      >
        {parts === undefined ? (
          <p class="menu-heading">{texts.app.loading}</p>
        ) : (
          <parts.SegmentChoices
            onAct={(next) => {
              act.value = next;
            }}
          />
        )}
      </Menu>
      {parts !== undefined && act.value !== undefined && (
        <parts.SegmentDialog
          act={act.value}
          onClose={() => {
            act.value = undefined;
          }}
        />
      )}
    </div>
  );
  // A public overview has a menu only if there is something in it.
  if (isMember) return menu;
  if (types !== undefined) return null;
  return parts === undefined ? null : <parts.IfAnySegment>{menu}</parts.IfAnySegment>;
}
