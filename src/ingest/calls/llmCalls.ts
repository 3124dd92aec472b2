import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { RecordLlmCallsReply, ValidatedItem } from "../../gen/lookout/services.ts";
import type { LlmCall } from "../../gen/lookout/v1/llm_calls_pb.ts";
import { keyOf, randomKey } from "../../store/write/eventKeys.ts";
import { type Drop, isRepeated } from "../dropReasons.ts";
import { type Arrival, readEventTime } from "../facts/eventTime.ts";
import { readArrival } from "../facts/requestFacts.ts";
import type { IngestCall } from "../ingestCall.ts";
import { type CallOwner, callOwners } from "../owners/llmCallOwners.ts";
import type { NamesWebsite } from "../owners/namedWebsite.ts";
import { findOwners } from "../owners/owners.ts";
import { llmCallRow } from "../rows/llmCallRow.ts";
import { type RecordValidation, storeRecords } from "../rows/records.ts";
import { claimed } from "../rows/storeItems.ts";
import { readSentTags, type SentTags } from "../sentTags.ts";
import { brokenRules } from "../validateEvent.ts";

/**
 * POST /llm: stores usage and cost of up to 100 calls of language models. Prompts, answers and users are not part of
 * the contract, so they are never read.
 *
 * Throws INVALID_API_KEY, ACCESS_DENIED, MISSING_WEBSITE_ID, NOT_FOUND, RATE_LIMIT_EXCEEDED, VALIDATION_ERROR when none
 * is valid and, when they cannot be stored, SERVICE_UNAVAILABLE.
 */
export async function recordLlmCalls(
  request: NamesWebsite & { readonly calls: readonly ValidatedItem<LlmCall>[] },
  call: IngestCall,
): Promise<RecordLlmCallsReply> {
  const { caller } = call;
  const ownerOf = await findOwners(request, request.calls, call, callOwners(caller));
  const arrival = readArrival(call);
  const seen = new Set<string>();
  const records = await mapInSlices(request.calls, (item) => validateCall(item, ownerOf, arrival, seen));
  return await storeRecords(call.app, "llm_calls", "llm_call", records);
}

function validateCall(
  item: ValidatedItem<LlmCall>,
  ownerOf: (call: LlmCall | SentTags) => CallOwner | Drop,
  arrival: Arrival,
  seen: Set<string>,
): RecordValidation {
  const tags = readSentTags(item.raw);
  const { eventId } = tags;
  const owner = ownerOf(item.value ?? tags);
  const websiteId = "reason" in owner ? undefined : owner.websiteId;
  if (item.value === undefined) return { outcome: "dropped", eventId, drop: brokenRules(item), websiteId };
  if ("reason" in owner) return { outcome: "dropped", eventId, drop: owner, websiteId };
  const scope = owner.websiteId ?? owner.organizationId;
  const identity = `${scope}\n${eventId}`;
  if (eventId && seen.has(identity)) return { outcome: "repeated", eventId, drop: isRepeated, websiteId };
  const atMs = readEventTime(item.value.timestamp, arrival);
  if (typeof atMs !== "number") return { outcome: "dropped", eventId, drop: atMs, websiteId };
  const row = llmCallRow(item.value, {
    ...owner,
    eventKey: eventId ? keyOf(scope, eventId) : randomKey(),
    atMs,
  });
  const rows = claimed("llm_call", scope, eventId || undefined, [row]);
  if (eventId) seen.add(identity);
  return { outcome: "taken", eventId, rows };
}
