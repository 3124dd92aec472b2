import { useRef } from "preact/hooks";
import { t } from "../../../texts/texts.ts";
import { useModule } from "../../../ui/useModule.ts";
import { useOnScreen } from "../../../ui/useOnScreen.ts";
import { useDashboard } from "../context.ts";
import type { PanelEntry } from "./panelTypes.ts";
import { Waiting } from "./waiting.tsx";

/** A panel with one of its lists, which is loaded after the key figures and asks its question when it comes near the window. */
export function Panel({ panel }: { readonly panel: PanelEntry }) {
  const { hasFigures } = useDashboard();
  const element = useRef<HTMLElement>(null);
  const isNear = useOnScreen(element);
  const content = useModule(() => import("./panelContent.tsx"), hasFigures.value);
  return (
    <section class="panel" ref={element} aria-labelledby={`panel-${panel.id}`} data-panel={panel.id}>
      {content === undefined ? (
        <>
          <div class="panel-head panel-line">
            <h2 id={`panel-${panel.id}`}>{panel.title(t())}</h2>
          </div>
          <div class="panel-body panel-rows">
            <Waiting />
          </div>
        </>
      ) : (
        <content.PanelContent panel={panel} isNear={isNear} />
      )}
    </section>
  );
}
