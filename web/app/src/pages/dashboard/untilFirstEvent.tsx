import { useSignal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { loadWebsites } from "../../api/websites.ts";
import type { FirstEventProps } from "../../firstEvent/firstEvent.tsx";
import { allTexts, loadSettingsTexts } from "../../texts/settings/settingsTexts.ts";

type UntilFirstEventProps = { readonly website: Website; readonly children: ComponentChildren };

/** Shown instead of the overview until the first event of a website arrives: how to count the website. */
export function UntilFirstEvent({ website, children }: UntilFirstEventProps) {
  const isSkipped = useSignal(false);
  const hasArrived = useSignal(false);
  const isPending = website.trackingStatus === "pending" && !isSkipped.value && !hasArrived.value;
  if (isPending)
    return (
      <div class="dashboard">
        <h1>{website.name}</h1>
        <Guide
          website={website}
          onArrived={() => {
            hasArrived.value = true;
            void loadWebsites(true);
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
