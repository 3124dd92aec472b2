import type { OnceCall } from "../idempotency/onceCall.ts";

/** A call that manages API keys. */
export type ApiKeyCall = OnceCall;
