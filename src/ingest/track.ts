import type { MessageInitShape } from "@bufbuild/protobuf";
import { authenticate, requireScope } from "../access/authorize.ts";
import { validationError } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";
import type { JudgedItem } from "../gateway/judgedItem.ts";
import type { CustomEvent, TrackRequest, TrackResponseSchema } from "../gen/lookout/v1/ingest_pb.ts";
import { append, countStored } from "./append.ts";
import { resultOf } from "./eventResult.ts";
import { judge, type Verdict } from "./judge.ts";
import { normaliseCustom } from "./normalise.ts";
import { readRequestFacts } from "./requestFacts.ts";
import { findTrackWebsites } from "./trackWebsites.ts";

/**
 * POST /track: stores up to 100 custom events, as SDKs send them. The SDKs look at the status alone, so the answer is an error when
 * not one event can be stored; otherwise bad events are told in `results`.
 *
 * Throws INVALID_API_KEY, ACCESS_DENIED, MISSING_WEBSITE_ID, NOT_FOUND, VALIDATION_ERROR and, when the events cannot be kept,
 * SERVICE_UNAVAILABLE.
 */
export async function track(
  request: Pick<TrackRequest, "websiteId" | "clientId"> & { readonly events: readonly JudgedItem<CustomEvent>[] },
  call: CallContext,
): Promise<MessageInitShape<typeof TrackResponseSchema>> {
  const caller = await authenticate(call);
  if (caller !== undefined) requireScope(caller, "write:events");
  const contextOf = await findTrackWebsites(request, caller, call.app.websites, readRequestFacts(call));
  const verdicts = request.events.map((item) => judge(item, normaliseCustom, contextOf));
  const refused = await append(call.app, verdicts);
  const { track: count } = countStored(verdicts, refused);
  if (count === 0 && verdicts.length > 0) throw nothingStored(verdicts);
  return {
    status: "success",
    type: "custom_event",
    processed: verdicts.length,
    count,
    results: verdicts.map((verdict) => resultOf(verdict, refused)),
  };
}

function nothingStored(verdicts: readonly Verdict[]): Error {
  const details = verdicts.flatMap((verdict, index) => {
    if (verdict.outcome !== "dropped") return [];
    const { field, message } = verdict.drop;
    return { field: field === "" ? `[${index}]` : `[${index}].${field}`, message };
  });
  return details.length > 0 ? validationError(details) : new Error("QuestDB refused the events");
}
