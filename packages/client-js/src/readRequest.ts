import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import { LookoutError, type LookoutErrorDetail } from "./lookoutError.ts";
import { type ReadingRules, readMessage } from "./readMessage.ts";

/** Calls of visitors and trackers, in which the service ignores members that it does not know: `<service>.<call>`. */
export const lenientCalls: ReadonlySet<string> = new Set([
  "IngestService.track",
  "IngestService.batch",
  "IngestService.collect",
  "LinkService.followLink",
  "LinkService.unlockLink",
  "LlmCallService.recordLlmCalls",
  "ScriptErrorService.recordScriptErrors",
  "VitalService.recordVitals",
]);

/** A request as it is sent. Throws a LookoutError (VALIDATION_ERROR) with every field that the contract does not have or that cannot be sent. */
export function readRequest(
  { input, parent, localName }: DescMethod,
  request: unknown,
  rules: Pick<ReadingRules, "allowed" | "unnamed"> = {},
): unknown {
  return readInit(input, request, { ...rules, isLenient: lenientCalls.has(`${parent.name}.${localName}`) });
}

/** What a message of a request is made of. Throws like readRequest. */
export function readInit(message: DescMessage, value: unknown, rules: ReadingRules = {}): unknown {
  const { init, problems } = readMessage(message, value, { ...rules, takesDates: true });
  requireNone(problems);
  return init;
}

/** Throws a LookoutError (VALIDATION_ERROR) that names each wrong field, if there is one. */
export function requireNone(problems: readonly LookoutErrorDetail[]): void {
  if (problems.length > 0) throw refusal(problems);
}

/** The error of a request that is not sent. */
export function refusal(details: readonly LookoutErrorDetail[]): LookoutError {
  const texts = details.map(({ field, message }) => `${field === "" ? "The request" : field} ${message}`);
  return new LookoutError("VALIDATION_ERROR", texts.join("; "), { details });
}
