/** What a failed batch of events means for its events. */
import { callersName } from "./callersNames.ts";
import { type EventResult, FlatEventSchema } from "./gen/lookout/v1/ingest_pb.ts";
import { LookoutError } from "./lookoutError.ts";

/**
 * Whether an error stays and is not about the events, but about the key, the website, the program, or the way to Lookout: the certificate, a
 * proxy, another server. A person can put that right while the events wait.
 */
export function isBlocking(error: LookoutError): boolean {
  return !error.isTemporary && !isAboutEvents(error);
}

/** A proxy takes no request of this size (413), or the service refuses events. VALIDATION_ERROR may also name something else, such as an agent. */
function isAboutEvents({ code, status, details }: LookoutError): boolean {
  if (status === 413) return true;
  const isOfRequest = details.length === 0 || details.some(({ field }) => field === "" || /^events\b/.test(field));
  return code === "VALIDATION_ERROR" && isOfRequest;
}

/** The events of a batch that an error is about: those that its details name; all of them where it names none. */
export function culpritsOf<T>({ details }: LookoutError, batch: readonly T[]): readonly T[] {
  const named = new Set(details.map(({ field }) => /^events\[(\d+)\]/.exec(field)?.[1]));
  const culprits = batch.filter((_, index) => named.has(String(index)));
  return culprits.length > 0 ? culprits : batch;
}

/** Throws BAD_ANSWER for an answer that does not say of each event what became of it. */
export function requireResults(results: readonly EventResult[], count: number): void {
  const known = results.filter(({ status }) => status === "success" || status === "error").length;
  if (known === count && results.length === count) return;
  throw new LookoutError(
    "BAD_ANSWER",
    `The answer has results of ${known} events, not of the ${count} that were sent, so it is not one of Lookout. Check baseUrl and the proxies on the way`,
    { isLasting: true },
  );
}

export function asLookoutError(thrown: unknown): LookoutError {
  if (thrown instanceof LookoutError) return thrown;
  return new LookoutError("BAD_ANSWER", "The events could not be sent", { cause: thrown });
}

/** The service says what is wrong with an event as a sentence that begins with the field, unless it is about the whole event. */
export function refused(message = "The service refused the event"): LookoutError {
  const [, path = "", rest = ""] = /^(\S+) (.+)$/s.exec(message) ?? [];
  const [root = ""] = path.split(/[.[]/);
  const isField = FlatEventSchema.fields.some(({ name, localName }) => name === root || localName === root);
  const detail = isField ? { field: callersName(FlatEventSchema, path), message: rest } : { field: "", message };
  return new LookoutError("VALIDATION_ERROR", message, { details: [detail] });
}
