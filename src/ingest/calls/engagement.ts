import type { RecordEngagementReply, ValidatedItem } from "../../gen/lookout/services.ts";
import type { Engagement } from "../../gen/lookout/v1/clients_pb.ts";
import type { IngestEvent } from "../event.ts";
import type { IngestCall } from "../ingestCall.ts";
import { normaliseTrack } from "../normalise.ts";
import type { NamesWebsite } from "../owners/namedWebsite.ts";
import { validateEach } from "../validateEach.ts";
import { storeTracked } from "./track.ts";

/**
 * POST /engagement: stores up to 100 page_exit events. Newer trackers send them in addition to their page exits, so an
 * id of their own distinguishes the two. Throws what `track` throws.
 */
export async function recordEngagement(
  request: NamesWebsite & { readonly engagements: readonly ValidatedItem<Engagement>[] },
  call: IngestCall,
): Promise<RecordEngagementReply> {
  const validations = await validateEach(request, request.engagements, normaliseEngagement, call);
  const { results = [], ...answer } = await storeTracked(validations, call);
  return { ...answer, type: "engagement", results: results.map((result) => ({ ...result, type: "engagement" })) };
}

function normaliseEngagement(sent: Engagement): IngestEvent {
  const { eventId, anonymousId, sessionId, timestamp, path, timeOnPage } = sent;
  const exit = {
    name: "page_exit",
    eventId,
    anonymousId,
    sessionId,
    timestamp,
    path,
    timeOnPage: timeOnPage === undefined ? undefined : timeOnPage * 1_000,
    scrollDepth: sent.maxScrollDepth,
    interactionCount: sent.interactionCount,
    pageCount: sent.pageIndex,
  };
  return normaliseTrack(exit, sent);
}
