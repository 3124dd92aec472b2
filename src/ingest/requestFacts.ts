import type { CallContext } from "../gateway/callContext.ts";
import type { IngestContext } from "./steps.ts";
import { readUserAgent } from "./userAgent.ts";

/** What a call tells about each of its events. The visitor's address is no part of it. */
export function readRequestFacts(call: CallContext): Pick<IngestContext, "agent" | "arrivedAtMs" | "maxClockAheadMs"> {
  return {
    agent: readUserAgent(call.header("user-agent")),
    arrivedAtMs: Date.now(),
    maxClockAheadMs: call.app.config.ingest.maxClockAheadMs,
  };
}
