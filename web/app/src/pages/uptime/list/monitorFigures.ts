import { query } from "../../../api/client.ts";
import { may } from "../../../api/session.ts";
import { type CallOptions, type CallState, useCall } from "../../../api/useCall.ts";

/** Response times of a monitor. Null without an answered check. */
export type ResponseFigures = {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** The median of each day, oldest first. */
  readonly days: readonly (number | null)[];
};

/** Response times of the same days (UTC) as the bars. */
export function useResponseFigures(
  monitorId: string,
  { dateFrom, dateTo }: { readonly dateFrom: string; readonly dateTo: string },
  options: CallOptions,
): CallState<ResponseFigures> {
  return useCall(
    `response figures of ${monitorId} ${dateFrom}`,
    async (signal) => {
      const { data } = await query(
        {
          scheduleId: monitorId,
          startDate: dateFrom,
          endDate: dateTo,
          granularity: "daily",
          parameters: ["uptime_overview", "uptime_time_series"],
        },
        { signal },
      );
      const [overview, series] = data;
      const figures = overview.success ? overview.data[0] : undefined;
      return {
        p50Ms: figures?.p50_response_time ?? null,
        p95Ms: figures?.p95_response_time ?? null,
        days: series.success ? series.data.map(({ p50_response_time: ms }) => ms) : [],
      };
    },
    { ...options, isWanted: (options.isWanted ?? true) && may("read:data") },
  );
}
