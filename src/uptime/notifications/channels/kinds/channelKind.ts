import type { BlockList } from "node:net";
import type { Config } from "../../../../config.ts";
import type { NotificationMessage } from "../../message/notificationMessage.ts";

/** The result of an attempt at a delivery. `refused` is not retried. */
export type AttemptOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "failed"; readonly error: string };

/** The message and the target of one attempt. */
export type Sending = {
  /** The same in all attempts of a delivery, so that receivers can recognise a repeated one. */
  readonly deliveryId: string;
  readonly target: string;
  readonly secret: string;
  readonly message: NotificationMessage;
};

/** `uptime.allowedRanges` are private ranges that the operator has opened for hooks. */
export type ChannelConfig = {
  readonly notifications: Config["notifications"];
  readonly uptime: { readonly allowedRanges: BlockList };
};

/** Everything that differs between kinds of notification channels. */
export type ChannelKindRules = {
  /** The target of a new channel as it is stored. Throws VALIDATION_ERROR. */
  readTarget(target: string, config: ChannelConfig): string;
  /** The secret of a new channel, which its creator is shown once; undefined where messages are not signed. */
  createSecret?(): string;
  /** The target as answers and the audit log show it. */
  shownTarget(target: string): string;
  /** Makes one attempt. Rejects only with the signal's reason. */
  send(sending: Sending, config: ChannelConfig, signal: AbortSignal): Promise<AttemptOutcome>;
};
