import type { ChannelKindRules } from "./channelKind.ts";
import { email } from "./email.ts";
import { slack } from "./slack.ts";
import { webhook } from "./webhook.ts";

/** Every kind of notification channel, by the name that the contract gives it. */
export const channelKinds = { webhook, email, slack } as const satisfies Record<string, ChannelKindRules>;

export type ChannelKind = keyof typeof channelKinds;

/** The rules of a kind. The contract allows no others, as test/lists.unit.test.ts compares. */
export function rulesOfKind(kind: string): ChannelKindRules {
  return channelKinds[kind as ChannelKind];
}
