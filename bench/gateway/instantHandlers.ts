import type { ImplementedHandlers } from "../../src/gateway/procedure.ts";
import { answeredPages } from "./payload.ts";

const pages = new Map([100, 10_000].map((count) => [count, answeredPages(count)]));

/** Handlers with prepared answers, so that only the gateway's own work is measured: routing, admission, rules, codecs, HTTP. */
export const instantHandlers: ImplementedHandlers = {
  "lookout.v1.IngestService": {
    batch: ({ events }) => ({
      status: "success",
      batch: true,
      processed: events.length,
      batched: { track: events.length, outgoingLink: 0 },
      results: events.map(({ value }) => ({
        status: "success",
        type: value?.payload.case === "outgoingLink" ? "outgoing_link" : "track",
        eventId: value?.payload.value?.eventId,
      })),
    }),
  },
  "lookout.v1.QueryService": {
    query: ({ query }, { requestId }) => {
      const limit = query?.limit ?? 100;
      const parameter = query?.parameters[0]?.name ?? "";
      return {
        single: {
          success: true,
          requestId,
          queryId: "",
          data: [{ parameter, success: true, data: pages.get(limit) ?? [] }],
          meta: { parameters: [], totalParameters: 1, page: 1, limit, filtersApplied: 0 },
        },
      };
    },
  },
};
