import type { MaintenanceWindow } from "./window.ts";

/** A monitor and its website. */
export type Maintained = { readonly id: string; readonly websiteId: string };

/**
 * Until when a monitor is in maintenance at a time, Unix ms; undefined outside all windows. A window's end is
 * exclusive. With overlapping windows the last end counts.
 */
export function maintenanceUntil(
  windows: readonly MaintenanceWindow[],
  monitor: Maintained,
  atMs: number,
): number | undefined {
  const ends = windows.filter((window) => covers(window, monitor, atMs)).map(({ endsMs }) => endsMs);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

function covers(window: MaintenanceWindow, { id, websiteId }: Maintained, atMs: number): boolean {
  const { monitorIds, startsMs, endsMs } = window;
  const isMeant = window.websiteId === websiteId && (monitorIds.length === 0 || monitorIds.includes(id));
  return isMeant && startsMs <= atMs && atMs < endsMs;
}
