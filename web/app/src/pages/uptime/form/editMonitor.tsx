import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { goTo, hrefTo } from "../../../router/router.ts";
import { NotFound } from "../../../shell/notFound.tsx";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { NoPermission } from "../../../ui/noPermission.tsx";
import type { PartProps } from "../partProps.ts";
import { uptime } from "../services.ts";
import { MonitorForm } from "./monitorForm.tsx";

/** /uptime/<website>/monitor/<id>/edit. */
export function EditMonitor({ website, monitorId: id }: PartProps & { readonly monitorId: string }) {
  const { uptime: texts } = allTexts();
  const state = useCall(`monitor ${id}`, async (signal) => (await uptime.getMonitor({ id }, { signal })).monitor);
  if (!may("write:uptime")) return <NoPermission />;
  if (state.error?.code === "NOT_FOUND") return <NotFound />;
  const place = ["uptime", website.id, "monitor", id];
  return (
    <div class="page page-narrow">
      <Loaded state={state} height="40rem">
        {(monitor) =>
          monitor === undefined ? null : (
            <>
              <h1>{texts.editMonitor(monitor.name)}</h1>
              <MonitorForm
                websiteId={website.id}
                monitor={monitor}
                submit={texts.save}
                cancelHref={hrefTo(place)}
                onSubmit={async (options) => {
                  await uptime.updateMonitor({ id, ...options });
                  goTo(place);
                }}
              />
            </>
          )
        }
      </Loaded>
    </div>
  );
}
