import type { Pool } from "pg";
import type { CallContext } from "../call/callContext.ts";

/** A call that manages API keys. */
export type ApiKeyCall = CallContext<{ readonly postgres: Pool }>;
