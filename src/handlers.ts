import type { ImplementedHandlers } from "./gateway/procedure.ts";
import { batch } from "./ingest/batch.ts";
import { collect } from "./ingest/collect.ts";
import { recordEngagement } from "./ingest/engagement.ts";
import { recordEvents } from "./ingest/events.ts";
import { getFlags } from "./ingest/flags.ts";
import { identify } from "./ingest/identify.ts";
import { recordLlmCalls } from "./ingest/llmCalls.ts";
import { getPixel } from "./ingest/pixel.ts";
import { recordScriptErrors } from "./ingest/scriptErrors.ts";
import { track } from "./ingest/track.ts";
import { recordVitals } from "./ingest/vitals.ts";
import { compileQuery } from "./query/compile.ts";
import { customQuery } from "./query/custom/custom.ts";
import { analyzeFunnel } from "./query/follow/analyzeFunnel.ts";
import { analyzeGoals } from "./query/follow/analyzeGoals.ts";
import { analyzeJourneys } from "./query/follow/analyzeJourneys.ts";
import { listQueryTypes } from "./query/listQueryTypes.ts";
import { listQueryWebsites } from "./query/listQueryWebsites.ts";
import { query } from "./query/query.ts";
import { queryColumns } from "./query/queryColumns.ts";
import { watch } from "./query/watch/watch.ts";

/** Every RPC that is built, by service. */
export const handlers: ImplementedHandlers = {
  "lookout.v1.ClientService": { getPixel, recordEvents, recordEngagement, identify, getFlags },
  "lookout.v1.FunnelService": { analyzeFunnel, analyzeGoals, analyzeJourneys },
  "lookout.v1.IngestService": { batch, track, collect },
  "lookout.v1.LlmCallService": { recordLlmCalls },
  "lookout.v1.QueryService": {
    query,
    queryColumns,
    watch,
    compileQuery,
    customQuery,
    listQueryTypes,
    listQueryWebsites,
  },
  "lookout.v1.ScriptErrorService": { recordScriptErrors },
  "lookout.v1.VitalService": { recordVitals },
};
