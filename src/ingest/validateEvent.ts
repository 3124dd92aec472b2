import { violationDetails } from "../call/violationDetails.ts";
import type { ValidatedItem } from "../gen/lookout/services.ts";
import { type Drop, type Dropped, isIgnored } from "./dropReasons.ts";
import type { IngestEvent } from "./event.ts";
import { readSentTags, type SentTags } from "./sentTags.ts";
import { firstOfId, type IngestContext, takeEvent } from "./steps.ts";

/** The result of validating one event of a request. */
export type Validation =
  | { readonly outcome: "taken"; readonly event: IngestEvent; readonly context: IngestContext }
  | { readonly outcome: "repeated"; readonly first: IngestEvent; readonly drop: Drop; readonly websiteId: string }
  | ({ readonly outcome: "dropped"; readonly tags: SentTags } & Dropped);

/**
 * Validates one event: the rules of the contract, its website, then the steps. `contextOf` also gets what can be read of
 * an event that breaks the rules, since it counts as left out of its website.
 */
export function validateEvent<T>(
  item: ValidatedItem<T>,
  normalise: (value: T) => IngestEvent,
  contextOf: (value: T | SentTags) => IngestContext | Drop,
): Validation {
  if (item.value === undefined) {
    const tags = readSentTags(item.raw);
    const context = contextOf(tags);
    return {
      outcome: "dropped",
      tags,
      drop: brokenRules(item),
      websiteId: "reason" in context ? undefined : context.websiteId,
    };
  }
  const event = normalise(item.value);
  const context = contextOf(item.value);
  const tags = { type: event.type, eventType: event.type, eventId: event.eventId };
  if ("reason" in context) return { outcome: "dropped", tags, drop: context, websiteId: undefined };
  const drop = takeEvent(event, context);
  if (drop === undefined) return { outcome: "taken", event, context };
  const first = drop.reason === "repeated" ? firstOfId(event, context) : undefined;
  const { websiteId } = context;
  return first === undefined
    ? { outcome: "dropped", tags, drop, websiteId }
    : { outcome: "repeated", first, drop, websiteId };
}

/**
 * Whether the event is not stored although its sender gets a success: a bot's, a spammer's or that of a visitor who is
 * not counted.
 */
export function wasIgnored(validation: Validation): boolean {
  return validation.outcome === "dropped" && isIgnored(validation.drop);
}

/** The first broken rule in full and the number of others, as for a rejected request. */
export function brokenRules({ violations }: ValidatedItem<unknown>): Drop {
  const [first, ...others] = violationDetails(violations, []);
  const suggestion = first?.suggestion === undefined ? "" : `; did you mean ${first.suggestion}?`;
  const rest = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return {
    reason: "invalid",
    field: first?.field ?? "",
    message: `${first?.message ?? "is not valid"}${suggestion}${rest}`,
  };
}

/** An event's error as a sentence for its sender. */
export function sentenceOf({ field, message }: Drop): string {
  return `${field === "" ? "The event" : field} ${message}`;
}
