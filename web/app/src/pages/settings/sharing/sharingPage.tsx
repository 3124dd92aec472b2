import { useSignal } from "@preact/signals";
import { SharedDashboardService } from "../../../../../../packages/client-js/src/gen/lookout/v1/shared_dashboards_pb.ts";
import type { Website } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../../api/client.ts";
import { useCall } from "../../../api/useCall.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { type MadeLink, NewLinkText } from "./newLinkText.tsx";
import { type Shared, ShareForm } from "./shareForm.tsx";
import { ShareRow } from "./shareRow.tsx";

const client = clientOf(SharedDashboardService);

/** The dashboards of the website that are shared by a secret link. */
export function SharingPage({ website: { id: websiteId } }: { readonly website: Website }) {
  const { sharing: texts } = allTexts();
  const edited = useSignal<Shared | "new" | undefined>(undefined);
  /** Kept only until its window is closed. */
  const made = useSignal<MadeLink | undefined>(undefined);
  const state = useCall(websiteId, async (signal) => {
    const { sharedDashboards } = await client.listSharedDashboards({ websiteId }, { signal });
    return sharedDashboards;
  });
  return (
    <>
      <Section
        name="sharing"
        title={texts.title}
        text={texts.text}
        tools={
          <button
            type="button"
            class="button button-main"
            onClick={() => {
              edited.value = "new";
            }}
          >
            {texts.new}
          </button>
        }
      >
        <Loaded state={state} height="8rem" empty={texts.none} isEmpty={(shares) => shares.length === 0}>
          {(shares) => (
            <ul class="rows">
              {shares.map((share) => (
                <ShareRow
                  key={share.id}
                  share={share}
                  onEdit={() => {
                    edited.value = share;
                  }}
                  onRevoke={async () => {
                    await client.deleteSharedDashboard({ id: share.id });
                    state.reload();
                  }}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
      {edited.value !== undefined && (
        <ShareForm
          websiteId={websiteId}
          share={edited.value === "new" ? undefined : edited.value}
          onSave={async (fields) => {
            const share = edited.value;
            if (share === undefined) return;
            if (share === "new") {
              const { url, sharedDashboard } = await client.createSharedDashboard({ websiteId, ...fields });
              made.value = { url, name: fields.name, isEmbeddable: (sharedDashboard?.origins.length ?? 0) > 0 };
            } else await client.updateSharedDashboard({ id: share.id, ...fields });
            edited.value = undefined;
            state.reload();
          }}
          onClose={() => {
            edited.value = undefined;
          }}
        />
      )}
      {made.value !== undefined && (
        <NewLinkText
          made={made.value}
          onClose={() => {
            made.value = undefined;
          }}
        />
      )}
    </>
  );
}
