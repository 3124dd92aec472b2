import type { Violation } from "../violation.ts";

/**
 * An item of a list whose items are judged one by one (gateway.v1.method.each_item). `value` is undefined when it broke a rule;
 * `raw` is what was sent: JSON over HTTP, the message over gRPC.
 */
export type JudgedItem<T> = {
  readonly value: T | undefined;
  readonly violations: readonly Violation[];
  readonly raw: unknown;
};
