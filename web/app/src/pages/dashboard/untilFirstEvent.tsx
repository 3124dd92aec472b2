import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { useTrackingStatus } from "../../api/trackingStatus.ts";
import type { FirstEventProps } from "../../firstEvent/firstEvent.tsx";
import { WaitingPage } from "../../shell/waitingPage.tsx";
import { allTexts, loadSettingsTexts } from "../../texts/settings/settingsTexts.ts";
import { isNewWebsite } from "./isNewWebsite.ts";
import { live } from "./live.ts";

type UntilFirstEventProps = { readonly website: Website; readonly children: ComponentChildren };

/**
 * Shown instead of the overview until the first event of a website arrives: how to count the website. Whether it has arrived is asked first for a new website,
 * which mostly has none. Other overviews do not wait for it: they ask once their figures are on screen.
 */
export function UntilFirstEvent({ website, children }: UntilFirstEventProps) {
  const isSkipped = useSignal(false);
  const hasArrived = useSignal(false);
  const isNew = isNewWebsite(website, Date.now());
  const isShown = useComputed(() => live.value.state !== "connecting");
  // Another period connects again, but the status is asked once.
  const wasShown = useRef(false);
  wasShown.current ||= isShown.value;
  const status = useTrackingStatus(website, isNew || wasShown.current);
  if (status === undefined && isNew) return <WaitingPage />;
  if (status === "pending" && !isSkipped.value && !hasArrived.value)
    return (
      <div class="dashboard">
        <h1>{website.name}</h1>
        <Guide
          website={website}
          onArrived={() => {
            hasArrived.value = true;
          }}
          onSkip={() => {
            isSkipped.value = true;
          }}
        />
      </div>
    );
  return (
    <>
      {hasArrived.value && (
        <p class="notice notice-above" role="status">
          {allTexts().firstEvent.arrived}
        </p>
      )}
      {children}
    </>
  );
}

/** Its code is only loaded for websites without events. */
function Guide(props: FirstEventProps) {
  const loaded = useSignal<ComponentType<FirstEventProps> | undefined>(undefined);
  useEffect(() => {
    void Promise.all([import("../../firstEvent/firstEvent.tsx"), loadSettingsTexts()]).then(
      ([module]) => {
        loaded.value = module.default;
      },
      // Without the guide the overview can still be used.
      () => props.onSkip?.(),
    );
  }, []);
  const Loaded = loaded.value;
  return Loaded === undefined ? null : <Loaded {...props} />;
}
