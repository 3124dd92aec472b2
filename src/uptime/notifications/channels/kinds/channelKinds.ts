import type { ChannelKindRules } from "./channelKind.ts";
import { email } from "./email.ts";
import { slack } from "./slack.ts";
import { webhook } from "./webhook.ts";

/** Every kind of notification channel, by the name that the contract gives it. */
export const channelKinds = { webhook, email, slack } as const satisfies Record<string, ChannelKindRules>;

export type ChannelKind = keyof typeof channelKinds;

/** The rules of a kind, which the contract has checked to be one. */
export function rulesOfKind(kind: string): ChannelKindRules {
  const rules: ChannelKindRules | undefined = Object.hasOwn(channelKinds, kind)
    ? channelKinds[kind as ChannelKind]
    : undefined;
  if (rules === undefined)
    throw new RangeError(`The contract allows the channel kind ${kind}, and channelKinds.ts lacks it`);
  return rules;
}
