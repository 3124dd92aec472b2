import { isoTime } from "../../../time/utcDay.ts";
import { knownUptime } from "../../figures/shownMonitor.ts";
import type { PageView } from "../read/pageView.ts";

/** A page's state for programs: what the page shows, with `isCurrent` false for the last known state. */
export function stateJson(view: PageView, url: string): string {
  return JSON.stringify({
    title: view.title,
    url,
    status: view.status,
    isCurrent: view.isCurrent,
    // Of the monitors; null if their states were never read.
    statesAt: view.statesMs === undefined ? null : isoTime(view.statesMs),
    groups: view.groups.map(({ name, monitors }) => ({
      name,
      monitors: monitors.map((monitor) => ({
        id: monitor.id,
        name: monitor.name,
        status: monitor.status,
        // Null if it was never checked.
        uptimePercent: knownUptime(monitor) ?? null,
      })),
    })),
    incidents: [...view.ongoing, ...view.past].map(({ id, title, monitorNames, startedMs, resolvedMs, updates }) => ({
      id,
      title: title ?? null,
      monitorNames,
      startedAt: isoTime(startedMs),
      resolvedAt: resolvedMs === undefined ? null : isoTime(resolvedMs),
      updates: updates.map(({ status, text, postedMs }) => ({ status, text, postedAt: isoTime(postedMs) })),
    })),
    maintenance: view.windows.map(({ id, title, startsMs, endsMs, monitorNames }) => ({
      id,
      title,
      monitorNames,
      startsAt: isoTime(startsMs),
      endsAt: isoTime(endsMs),
    })),
  });
}
