import type { Bot } from "../visitors/ownBotNames.ts";
import type { RuleKind } from "./rules/storedRules.ts";

/**
 * Why an event is not stored; the labels of the metric lookout_events_dropped_total.
 *
 * - `invalid`: it breaks a rule of the contract
 * - `expired`: it is older than events may be
 * - `properties_too_large`: its properties are too long
 * - `repeated`: its id occurs twice in the batch; answered with success, since the first one is stored
 * - `bot`, `referrer_spam`, `do_not_track`: it was sent by a bot, has a spammer as its referrer, or its visitor does
 *   not want to be counted; answered with success but not counted as stored, since its sender did nothing wrong and
 *   could not fix it
 * - `blocked_by_rule`: a rule of its website excludes it; answered in the same way
 * - `unknown_website`: its website does not exist, is deleted or is not the key's
 * - `store_unavailable`: the log could not take it
 */
export const dropReasons = [
  "invalid",
  "expired",
  "properties_too_large",
  "repeated",
  "bot",
  "referrer_spam",
  "do_not_track",
  "blocked_by_rule",
  "unknown_website",
  "store_unavailable",
] as const;

export type DropReason = (typeof dropReasons)[number];

/**
 * Why an event is not stored, with the message for its sender; `field` is the path of the error in the event. `bot` is
 * the bot that sent it and `rule` the kind of rule that excludes it, if the reason is that.
 */
export type Drop = {
  readonly reason: DropReason;
  readonly field: string;
  readonly message: string;
  readonly bot?: Bot | undefined;
  readonly rule?: RuleKind;
};

export function isBlocked(rule: RuleKind): Drop {
  return { reason: "blocked_by_rule", field: "", message: "is excluded by a rule of the website", rule };
}

export function comesFromBot(bot: Bot | undefined): Drop {
  return { reason: "bot", field: "", message: "comes from a bot", bot };
}

/** An event whose id occurs before in its request. */
export const isRepeated: Drop = {
  reason: "repeated",
  field: "eventId",
  message: "occurs more than once in this request",
};

/** An event that is not stored, and the website that it was for; undefined if that is not known. */
export type Dropped = { readonly websiteId: string | undefined; readonly drop: Drop };

/** Whether the sender gets a success although the event is not stored. */
export function isIgnored({ reason }: Drop): boolean {
  return ignored.has(reason);
}

const ignored: ReadonlySet<DropReason> = new Set(["bot", "referrer_spam", "do_not_track", "blocked_by_rule"]);
