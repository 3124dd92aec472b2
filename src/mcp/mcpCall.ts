import type { Config } from "../config.ts";
import type { GatewayApp } from "../gateway/gatewayApp.ts";
import type { HttpCall } from "../gateway/http/httpCall.ts";

/** What the path uses of the process. */
export type McpApp = GatewayApp & { readonly config: Pick<Config, "mcp"> };

/** A request of an assistant, which may call several RPCs. */
export type McpCall = HttpCall<McpApp>;

/** An answer over HTTP; without text it has no body. */
export type McpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};
