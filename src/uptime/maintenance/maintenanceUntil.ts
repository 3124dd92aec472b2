import type { MaintenanceWindow } from "./window.ts";

/** Of which monitor, and of which website. */
export type Maintained = { readonly id: string; readonly websiteId: string };

/**
 * Until when a monitor is in maintenance at a time, Unix ms; undefined when it is in none of the windows. A window's beginning belongs to
 * it, its end does not. Of windows that overlap the last end holds.
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
