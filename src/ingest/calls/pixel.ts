import { ApiError } from "../../errors/errors.ts";
import { StoreFailure } from "../../errors/storeFailure.ts";
import type { GetPixelReply, ValidatedItem } from "../../gen/lookout/services.ts";
import type { GetPixelRequest } from "../../gen/lookout/v1/clients_pb.ts";
import { FlatEventSchema } from "../../gen/lookout/v1/ingest_pb.ts";
import { ScriptErrorSchema } from "../../gen/lookout/v1/script_errors_pb.ts";
import { VitalSchema } from "../../gen/lookout/v1/vitals_pb.ts";
import type { DropReason } from "../dropReasons.ts";
import type { IngestCall } from "../ingestCall.ts";
import { namedWebsite } from "../owners/namedWebsite.ts";
import { readPixelItem } from "../pixelItem.ts";
import { brokenRules } from "../validateEvent.ts";
import { collect } from "./collect.ts";
import { recordScriptErrors } from "./scriptErrors.ts";
import { recordVitals } from "./vitals.ts";

/** A transparent image of one pixel (GIF89a). */
const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/**
 * GET /px.jpg: stores the event in the query string and always answers with an image: a page must never show a broken
 * one. Events that are not stored are counted by their reason.
 */
export async function* getPixel(request: GetPixelRequest, call: IngestCall): AsyncGenerator<GetPixelReply> {
  // A cached image would hide every view but the first.
  call.setHeader("cache-control", "no-store, no-cache, must-revalidate, max-age=0");
  call.setHeader("content-disposition", "inline");
  // Pages that isolate themselves need this to load images of other sites (Fetch standard, section 3.7).
  call.setHeader("cross-origin-resource-policy", "cross-origin");
  // The image comes first: its answer ends when the event is stored, and a HEAD request counts nothing.
  yield { contentType: "image/gif", data: picture };
  try {
    await store(request, call);
  } catch (error) {
    // The log has reported it.
    if (error instanceof StoreFailure) return;
    if (!(error instanceof ApiError)) call.app.log.error({ err: error, requestId: call.requestId }, "a pixel failed");
    else if (
      error.code === "NOT_FOUND" ||
      error.code === "INVALID_API_KEY" ||
      error.code === "MISSING_WEBSITE_ID" ||
      error.code === "RATE_LIMIT_EXCEEDED"
    )
      drop("unknown_website", call);
  }
}

async function store(request: GetPixelRequest, call: IngestCall): Promise<void> {
  const { websiteId, clientId } = request;
  if (request.type === "web_vitals") {
    const item = readPixelItem(VitalSchema, request);
    await recordVitals({ websiteId, clientId, vitals: [item] }, call);
  } else if (request.type === "error") {
    const item = readPixelItem(ScriptErrorSchema, request);
    await recordScriptErrors({ websiteId, clientId, errors: [item] }, call);
  } else {
    const item = readPixelItem(FlatEventSchema, withPage(request, call));
    if (item.value === undefined) await dropInvalid(item, request, call);
    else await collect({ websiteId, clientId, event: item.value }, call);
  }
}

/** An image without a script has neither an event nor a page: it means a view of the page in the Referer header. */
function withPage(request: GetPixelRequest, call: IngestCall): GetPixelRequest {
  if (request.type === "outgoing_link") return request;
  return { ...request, name: request.name || "screen_view", path: request.path || (call.header("referer") ?? "") };
}

async function dropInvalid(item: ValidatedItem<unknown>, request: GetPixelRequest, call: IngestCall): Promise<void> {
  drop("invalid", call);
  const website = await namedWebsite(call, request);
  if (website !== undefined) call.app.excluded.count({ websiteId: website.id, drop: brokenRules(item) });
}

function drop(reason: DropReason, call: IngestCall): void {
  call.app.metrics.eventsDropped.inc({ reason });
}
