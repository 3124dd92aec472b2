import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallContext } from "../../gateway/callContext.ts";
import type { JudgedItem } from "../../gen/lookout/services.ts";
import type { BatchRequest, BatchResponseSchema, Event } from "../../gen/lookout/v1/ingest_pb.ts";
import { resultOf } from "../eventResult.ts";
import { findWriter, readRequestFacts } from "../facts/requestFacts.ts";
import { judge } from "../judge.ts";
import { normaliseEvent } from "../normalise.ts";
import { missingWebsite, namedWebsite } from "../owners/namedWebsite.ts";
import { append, countStored } from "../rows/append.ts";
import { createIngestContext } from "../steps.ts";

/**
 * POST /batch (specification 4.20): stores what is good of up to 100 events and tells for each what became of it. The answer is a
 * success even when every event is bad, since the specification reports bad events in `results` only.
 *
 * Throws MISSING_WEBSITE_ID, NOT_FOUND, RATE_LIMIT_EXCEEDED and, when the events cannot be kept, SERVICE_UNAVAILABLE.
 */
export async function batch(
  request: Pick<BatchRequest, "websiteId" | "clientId"> & { readonly events: readonly JudgedItem<Event>[] },
  call: CallContext,
): Promise<MessageInitShape<typeof BatchResponseSchema>> {
  const website = await namedWebsite(call, request);
  if (website === undefined) throw missingWebsite();
  const context = createIngestContext(website, readRequestFacts(call, await findWriter(call, website)));
  const verdicts = request.events.map((item) => judge(item, normaliseEvent, () => context));
  await append(call.app, verdicts);
  return {
    status: "success",
    batch: true,
    processed: verdicts.length,
    batched: countStored(verdicts),
    results: verdicts.map(resultOf),
  };
}
