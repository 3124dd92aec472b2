import type { ImplementedHandlers } from "./gateway/procedure.ts";
import { batch } from "./ingest/batch.ts";
import { collect } from "./ingest/collect.ts";
import { track } from "./ingest/track.ts";
import { listQueryTypes } from "./query/listQueryTypes.ts";
import { listQueryWebsites } from "./query/listQueryWebsites.ts";
import { query } from "./query/query.ts";

/** Every RPC that is built, by service. */
export const handlers: ImplementedHandlers = {
  "lookout.v1.IngestService": { batch, track, collect },
  "lookout.v1.QueryService": { query, listQueryTypes, listQueryWebsites },
};
