import { useEffect } from "preact/hooks";
import type { GetStatusPageResponse } from "../../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { type ChartMark, chartMarks } from "../../../ui/plot/chartMarks.ts";
import { incidentSegments } from "../../../ui/uptime/incidentAddress.ts";
import { useDashboard } from "../context.ts";
import { maintenanceWindows } from "./services.ts";

/** Gives the chart the incidents and maintenance windows of the website. */
export function useMarks(status: GetStatusPageResponse | undefined): void {
  const { websiteId, isMember } = useDashboard();
  const seesUptime = isMember && may("read:uptime");
  const windows = useCall(
    `windows of ${websiteId}`,
    (signal) => maintenanceWindows.listMaintenanceWindows({ websiteId }, { signal }),
    { isWanted: seesUptime },
  );
  const known = windows.value?.windows;
  useEffect(() => {
    const incidents = (status?.incidents ?? []).map(
      ({ id, monitorName, startedAt, resolvedAt }): ChartMark => ({
        kind: "incident",
        name: monitorName,
        startMs: Date.parse(startedAt),
        endMs: resolvedAt === undefined ? Date.now() : Date.parse(resolvedAt),
        ...(seesUptime ? { href: hrefTo(incidentSegments(websiteId, id)) } : {}),
      }),
    );
    const maintained = (known ?? []).map(
      ({ title, startsAt, endsAt }): ChartMark => ({
        kind: "maintenance",
        name: title,
        startMs: Date.parse(startsAt),
        endMs: Date.parse(endsAt),
      }),
    );
    chartMarks.value = [...incidents, ...maintained];
    return () => {
      chartMarks.value = [];
    };
  }, [status, known, seesUptime, websiteId]);
}
