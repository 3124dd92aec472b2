import type {
  GetHistoryResponse,
  HistoryPoint,
} from "../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { CallOptions, CallState } from "../../api/useCall.ts";
import { useCall } from "../../api/useCall.ts";
import { dayMs, isBeforeMonitor, type ShownDay } from "../../ui/uptime/shownDay.ts";
import { uptime } from "./services.ts";

/** How far back days are shown. */
export const shownDays = 90;

/** The last days of a monitor, in UTC, including today. */
export function useDays(
  monitorId: string,
  options: CallOptions,
  count: number = shownDays,
): CallState<GetHistoryResponse> {
  return useCall(
    `${count} days of ${monitorId}`,
    (signal) => uptime.getHistory({ monitorId, ...lastDays(Date.now(), count), granularity: "1d" }, { signal }),
    options,
  );
}

/** The first and the last of the last days, in UTC. */
export function lastDays(nowMs: number, days: number): { readonly dateFrom: string; readonly dateTo: string } {
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return { dateFrom: dayOf(nowMs - (days - 1) * dayMs), dateTo: dayOf(nowMs) };
}

/** A day with its figures, and whether the monitor existed then. */
export type MonitorDay = HistoryPoint & ShownDay;

export function daysOf({ dataPoints }: GetHistoryResponse, createdAt: string): readonly MonitorDay[] {
  return dataPoints.map((point) => ({ ...point, isBefore: isBeforeMonitor(point.timestamp, createdAt) }));
}
