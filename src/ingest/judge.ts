import { violationDetails } from "../gateway/violationDetails.ts";
import type { JudgedItem } from "../gen/lookout/services.ts";
import { type Drop, isIgnored } from "./dropReasons.ts";
import type { IngestEvent } from "./event.ts";
import { readSentTags, type SentTags } from "./sentTags.ts";
import { firstOfId, type IngestContext, takeEvent } from "./steps.ts";

/** What is to become of one event of a request. */
export type Verdict =
  | { readonly outcome: "taken"; readonly event: IngestEvent; readonly context: IngestContext }
  | { readonly outcome: "repeated"; readonly first: IngestEvent; readonly drop: Drop }
  | { readonly outcome: "dropped"; readonly tags: SentTags; readonly drop: Drop };

/** Judges one event: the rules of the contract, the website it is for, then the steps. */
export function judge<T>(
  item: JudgedItem<T>,
  normalise: (value: T) => IngestEvent,
  contextOf: (value: T) => IngestContext | Drop,
): Verdict {
  if (item.value === undefined) return { outcome: "dropped", tags: readSentTags(item.raw), drop: brokenRules(item) };
  const event = normalise(item.value);
  const context = contextOf(item.value);
  const tags = { type: event.type, eventType: event.type, eventId: event.eventId };
  if ("reason" in context) return { outcome: "dropped", tags, drop: context };
  const drop = takeEvent(event, context);
  if (drop === undefined) return { outcome: "taken", event, context };
  const first = drop.reason === "repeated" ? firstOfId(event, context) : undefined;
  return first === undefined ? { outcome: "dropped", tags, drop } : { outcome: "repeated", first, drop };
}

/** Whether the event is not stored though its sender is told success: a bot's, a spammer's or that of a visitor who is not counted. */
export function wasIgnored(verdict: Verdict): boolean {
  return verdict.outcome === "dropped" && isIgnored(verdict.drop);
}

/** Says the first broken rule in full and how many more there are, as a refused request does. */
export function brokenRules({ violations }: JudgedItem<unknown>): Drop {
  const [first, ...others] = violationDetails(violations, []);
  const suggestion = first?.suggestion === undefined ? "" : `; did you mean ${first.suggestion}?`;
  const rest = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return {
    reason: "invalid",
    field: first?.field ?? "",
    message: `${first?.message ?? "is not valid"}${suggestion}${rest}`,
  };
}

/** What is wrong with an event, as a sentence for its sender. */
export function sentenceOf({ field, message }: Drop): string {
  return `${field === "" ? "The event" : field} ${message}`;
}
