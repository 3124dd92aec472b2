import type { EventResultInit } from "../gen/lookout/services.ts";
import { isIgnored } from "./dropReasons.ts";
import { sentenceOf, type Validation } from "./validateEvent.ts";

/**
 * The entry of one event in `results` (specification 4.20 and part 7, rule 6). A repeated event gets the result of the
 * first.
 */
export function resultOf(validation: Validation): EventResultInit {
  if (validation.outcome === "dropped") {
    const { type, eventType, eventId } = validation.tags;
    if (isIgnored(validation.drop)) return { status: "success", type, eventId };
    return { status: "error", type, eventId, message: sentenceOf(validation.drop), eventType };
  }
  const { type, eventId, shortened } = validation.outcome === "taken" ? validation.event : validation.first;
  // The event is more important than the end of a text, so it is stored anyway.
  if (shortened.length > 0)
    return { status: "success", type, eventId, message: `Stored, but cut: ${shortened.join(", ")}` };
  return { status: "success", type, eventId };
}
