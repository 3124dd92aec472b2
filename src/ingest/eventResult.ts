import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EventResultSchema } from "../gen/lookout/v1/ingest_pb.ts";
import { isIgnored } from "./dropReasons.ts";
import { sentenceOf, type Verdict } from "./judge.ts";

/** The entry of one event in `results` (specification 4.20 and part 7, rule 6). A repeated event shares the fate of the first. */
export function resultOf(verdict: Verdict): MessageInitShape<typeof EventResultSchema> {
  if (verdict.outcome === "dropped") {
    const { type, eventType, eventId } = verdict.tags;
    if (isIgnored(verdict.drop)) return { status: "success", type, eventId };
    return { status: "error", type, eventId, message: sentenceOf(verdict.drop), eventType };
  }
  const { type, eventId, shortened } = verdict.outcome === "taken" ? verdict.event : verdict.first;
  // An event is worth more than the end of a text, so it is stored all the same.
  if (shortened.length > 0)
    return { status: "success", type, eventId, message: `Stored, but cut: ${shortened.join(", ")}` };
  return { status: "success", type, eventId };
}
