import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallContext } from "../../gateway/callContext.ts";
import type { JudgedItem } from "../../gen/lookout/services.ts";
import type { CustomEvent, TrackRequest, TrackResponseSchema } from "../../gen/lookout/v1/ingest_pb.ts";
import { resultOf } from "../eventResult.ts";
import { type Verdict, wasIgnored } from "../judge.ts";
import { judgeEach } from "../judgeEach.ts";
import { normaliseCustom } from "../normalise.ts";
import { nothingStored } from "../nothingStored.ts";
import { append, countStored } from "../rows/append.ts";

/**
 * POST /track: stores up to 100 custom events, as SDKs send them. The SDKs look at the status alone, so the answer is an error when
 * not one event can be stored; otherwise bad events are told in `results`.
 *
 * Throws INVALID_API_KEY, ACCESS_DENIED, MISSING_WEBSITE_ID, NOT_FOUND, RATE_LIMIT_EXCEEDED, VALIDATION_ERROR and, when the events cannot be kept,
 * SERVICE_UNAVAILABLE.
 */
export async function track(
  request: Pick<TrackRequest, "websiteId" | "clientId"> & { readonly events: readonly JudgedItem<CustomEvent>[] },
  call: CallContext,
): Promise<MessageInitShape<typeof TrackResponseSchema>> {
  const verdicts = await judgeEach(request, request.events, normaliseCustom, call);
  return { type: "custom_event", ...(await storeTracked(verdicts, call)) };
}

/** Stores what was taken and tells what became of each. Throws VALIDATION_ERROR and SERVICE_UNAVAILABLE as described above. */
export async function storeTracked(
  verdicts: readonly Verdict[],
  call: CallContext,
): Promise<Omit<MessageInitShape<typeof TrackResponseSchema>, "$typeName" | "type">> {
  await append(call.app, verdicts);
  const { track: count } = countStored(verdicts);
  if (count === 0 && verdicts.length > 0 && !verdicts.some(wasIgnored)) throw nothingStored(verdicts);
  return { status: "success", processed: verdicts.length, count, results: verdicts.map(resultOf) };
}
