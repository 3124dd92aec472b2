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
  const { type, eventId, shortened, visitor } = validation.outcome === "taken" ? validation.event : validation.first;
  // The event is more important than the end of a text or an unknown name, so it is stored anyway.
  const losses = [...lossesOf("cut", shortened), ...lossesOf("left out", visitor?.leftOut)];
  if (losses.length > 0) return { status: "success", type, eventId, message: `Stored, but ${losses.join("; ")}` };
  return { status: "success", type, eventId };
}

function lossesOf(how: string, fields: readonly string[] = []): string[] {
  return fields.length === 0 ? [] : [`${how}: ${fields.join(", ")}`];
}
