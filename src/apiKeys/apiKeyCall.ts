import type { Pool } from "pg";
import type { CallContext } from "../gateway/call/callContext.ts";

/** A call that manages API keys. */
export type ApiKeyCall = CallContext<{ readonly postgres: Pool }>;
