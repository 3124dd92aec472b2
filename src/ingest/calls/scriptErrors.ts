import type { RecordScriptErrorsReply, ValidatedItem } from "../../gen/lookout/services.ts";
import type { ScriptError } from "../../gen/lookout/v1/script_errors_pb.ts";
import type { EveryColumn, RowOf } from "../../store/questdb/tables.ts";
import type { IngestEvent } from "../event.ts";
import { cutAddresses } from "../facts/cutAddresses.ts";
import type { IngestCall } from "../ingestCall.ts";
import { normaliseTrack } from "../normalise.ts";
import type { NamesWebsite } from "../owners/namedWebsite.ts";
import { recordsOf, storeRecords } from "../rows/records.ts";
import { validateEach } from "../validateEach.ts";

/**
 * POST /errors: stores up to 100 script errors. Their texts are shortened, and query strings, which may identify a
 * person, are removed.
 *
 * Throws INVALID_API_KEY, ACCESS_DENIED, MISSING_WEBSITE_ID, NOT_FOUND, RATE_LIMIT_EXCEEDED, VALIDATION_ERROR when none
 * is valid and, when they cannot be stored, SERVICE_UNAVAILABLE.
 */
export async function recordScriptErrors(
  request: NamesWebsite & { readonly errors: readonly ValidatedItem<ScriptError>[] },
  call: IngestCall,
): Promise<RecordScriptErrorsReply> {
  const validations = await validateEach(request, request.errors, normaliseError, call);
  const records = recordsOf("error", request.errors, validations, (error, event, websiteId) => [
    rowOf(error, event, websiteId),
  ]);
  return await storeRecords(call.app, "script_errors", "error", records);
}

function normaliseError(error: ScriptError): IngestEvent {
  const { eventId, anonymousId, sessionId, timestamp, path } = error;
  return normaliseTrack({ name: "error", eventId, anonymousId, sessionId, timestamp, path }, error);
}

function rowOf(error: ScriptError, event: IngestEvent, websiteId: string): RowOf<"script_errors"> {
  return {
    table: "script_errors",
    tsUs: Math.trunc(event.atMs ?? 0) * 1_000,
    values: {
      website_id: websiteId,
      event_key: event.eventKey,
      message: cutAddresses(error.message, maxMessageLength),
      error_type: error.errorType || undefined,
      filename: cutAddresses(error.filename, maxAddressLength),
      line_number: error.lineno,
      column_number: error.colno,
      stack: cutAddresses(error.stack, maxStackLength),
      path: event.path,
      visitor_key: event.visitorKey,
      session_key: event.sessionKey,
      event_id: event.eventId,
      anonymous_id: event.anonymousId,
      session_id: event.sessionId,
      country: event.country,
      region: event.region,
      browser: event.browser,
      browser_version: event.browserVersion,
      os: event.os,
      os_version: event.osVersion,
      device: event.device,
    } satisfies EveryColumn<"script_errors">,
  };
}

const maxMessageLength = 2_048;
const maxAddressLength = 2_048;
const maxStackLength = 8_192;
