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
    statesAt: view.statesMs === undefined ? null : iso(view.statesMs),
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
      startedAt: iso(startedMs),
      resolvedAt: resolvedMs === undefined ? null : iso(resolvedMs),
      updates: updates.map(({ status, text, postedMs }) => ({ status, text, postedAt: iso(postedMs) })),
    })),
    maintenance: view.windows.map(({ id, title, startsMs, endsMs, monitorNames }) => ({
      id,
      title,
      monitorNames,
      startsAt: iso(startsMs),
      endsAt: iso(endsMs),
    })),
  });
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
