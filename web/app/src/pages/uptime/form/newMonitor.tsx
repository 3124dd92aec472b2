import { may } from "../../../api/session.ts";
import { goTo, hrefTo } from "../../../router/router.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { NoPermission } from "../../../ui/noPermission.tsx";
import type { PartProps } from "../partProps.ts";
import { uptime } from "../services.ts";
import { MonitorForm } from "./monitorForm.tsx";

/** /uptime/<website>/new. */
export function NewMonitor({ website: { id: websiteId } }: PartProps) {
  const { uptime: texts } = allTexts();
  if (!may("write:uptime")) return <NoPermission />;
  return (
    <div class="page page-narrow">
      <h1>{texts.newMonitor}</h1>
      <MonitorForm
        websiteId={websiteId}
        monitor={undefined}
        submit={texts.createMonitor}
        cancelHref={hrefTo(["uptime", websiteId])}
        onSubmit={async (options) => {
          const { monitor } = await uptime.createMonitor({ websiteId, ...options });
          goTo(["uptime", websiteId, ...(monitor === undefined ? [] : ["monitor", monitor.id])]);
        }}
      />
    </div>
  );
}
