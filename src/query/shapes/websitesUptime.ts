import { mapInSlices } from "../../concurrency/timeSlices.ts";
import { siteUptimes } from "../../uptime/figures/siteUptime.ts";
import { type LastSlot, lastSlotOf } from "../../uptime/figures/slotReader.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { selectedWebsites } from "./websiteRows.ts";

const noMonitoring = { monitors: [], incidents: [], windows: [], nowMs: 0 };

/** The answer of websites_uptime: a row for each website, also for one without monitors, in no order. */
export function prepareWebsitesUptime(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  const sql =
    "SELECT monitor_id, slot_status, max(ts) AS ts FROM " +
    `${rowsOf("uptime_checks", plan, bindings)} GROUP BY monitor_id, slot_status ORDER BY ts`;
  const { monitoring = noMonitoring } = plan;
  return {
    statements: [{ sql, values: bindings.values }],
    rows: async ([rows = []]) => {
      // Of several rows of a monitor the latest is the last.
      const lastSlots = new Map<string, LastSlot>(rows.map((row) => [String(row["monitor_id"]), lastSlotOf(row)]));
      const uptimeOf = siteUptimes(monitoring, lastSlots);
      return await mapInSlices(selectedWebsites(plan), (id) => {
        const { state, inState, monitors, incidents } = uptimeOf(id);
        return {
          website_id: id,
          state,
          in_state: inState,
          monitors,
          incidents: incidents.map((incident) => ({
            id: incident.id,
            monitor_id: incident.monitorId,
            monitor_name: incident.monitorName,
            started_at: new Date(incident.startedMs).toISOString(),
          })),
        };
      });
    },
  };
}
