import { LookoutError } from "./lookoutError.ts";

type ConnectionOptions = { readonly agent?: unknown; readonly fetch?: unknown; readonly http2?: unknown };

/** Throws a VALIDATION_ERROR for options that grpc would ignore, although connections may depend on them. */
export function requireGrpcOptions({ agent, fetch, http2 }: ConnectionOptions): void {
  if (http2 !== undefined) return;
  const field = agent !== undefined ? "agent" : "fetch";
  if (agent === undefined && fetch === undefined) return;
  const message = "is for connect and grpc-web. For grpc, pass what its connections need as http2, such as { ca }";
  throw new LookoutError("VALIDATION_ERROR", `${field} ${message}`, { details: [{ field, message }] });
}

/** The variable with the proxy that Node would take to an address, which grpc does not; undefined where it would take none. */
export function ignoredProxy(baseUrl: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env["NODE_USE_ENV_PROXY"] !== "1") return undefined;
  const { protocol, hostname, host } = new URL(baseUrl);
  const names = protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const name = names.find((each) => (env[each] ?? "") !== "");
  if (name === undefined) return undefined;
  const excepted = (env["no_proxy"] ?? env["NO_PROXY"] ?? "").split(/[\s,]+/).filter((each) => each !== "");
  const isExcepted = excepted.some((each) => {
    const domain = each.replace(/^\*?\.?/, "");
    return each === "*" || domain === host || hostname === domain || (domain !== "" && hostname.endsWith(`.${domain}`));
  });
  return isExcepted ? undefined : name;
}
