/** What errors of Node's connections say, and those of browsers do not. */
import { innermostOf, lostConnection, type SystemErrors, systemErrorOf } from "./connectionErrors.ts";
import { LookoutError } from "./lookoutError.ts";

export const systemErrors: SystemErrors = {
  connectionProblem(baseUrl, cause) {
    const { code, message } = innermostOf(cause);
    const problem = tlsProblem(baseUrl, { code, message, cause: systemErrorOf(cause) });
    if (problem !== undefined) return problem;
    const refusal = proxyRefusal(baseUrl, { code, message, cause: systemErrorOf(cause) });
    if (refusal !== undefined) return refusal;
    if (code === "ERR_INVALID_PROTOCOL") return wrongAgent(baseUrl, message);
    if (!lostCodes.has(code) && message !== "PING timed out") return undefined;
    return lostConnection(baseUrl, cause, code || message);
  },
  silentProxy(baseUrl, cause, why) {
    const proxy = otherAddressOf(baseUrl, systemErrorOf(cause));
    if (proxy === undefined) return undefined;
    return `Nothing answers at ${proxy}${why}, the proxy on the way to ${baseUrl}. Check HTTPS_PROXY and HTTP_PROXY, or the agent of createLookout`;
  },
};

/** A connection was there. */
const lostCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ERR_STREAM_PREMATURE_CLOSE"]);

/** The system's own words, and its error. */
type SystemWords = { readonly code: string; readonly message: string; readonly cause: unknown };

/** That a certificate is not trusted, or that what answers does not speak TLS. */
function tlsProblem(baseUrl: string, { code, message, cause }: SystemWords): LookoutError | undefined {
  if (isCertificateCode(code))
    return new LookoutError(
      "UNREACHABLE",
      `The certificate of ${baseUrl} is not trusted (${code}: ${message}). If it is of an authority of your own, pass that: NODE_EXTRA_CA_CERTS, or agent or http2 of createLookout`,
      { cause, isLasting: true },
    );
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || /wrong version number/i.test(message))
    return new LookoutError(
      "UNREACHABLE",
      `What answers at ${baseUrl} does not speak TLS. Pass a baseUrl that begins with http://, or the port of https`,
      { cause, isLasting: true },
    );
  return undefined;
}

/** That a proxy refuses the way to Lookout. Node tells its status only: no header of its answer. */
function proxyRefusal(baseUrl: string, { code, message, cause }: SystemWords): LookoutError | undefined {
  const status = refusalStatus(code, message);
  if (status === undefined) return undefined;
  const text = `The proxy on the way to ${baseUrl} refuses the connection (status ${status})`;
  const facts = { status, cause };
  if (status === 429) return new LookoutError("RATE_LIMIT_EXCEEDED", `${text}. Call less often`, facts);
  if (status === 408 || status >= 500)
    return new LookoutError(
      "SERVICE_UNAVAILABLE",
      `${text}. It, or what is behind it, is down or starts; try again later`,
      facts,
    );
  const advice =
    status === 407
      ? "It asks for a name and a password: put them into its address, http://name:password@proxy.example:3128"
      : "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or the agent of createLookout, and what the proxy allows";
  return new LookoutError("BAD_ANSWER", `${text}. ${advice}`, facts);
}

/** In the words of Node's fetch (undici 7) and of its agents. */
function refusalStatus(code: string, message: string): number | undefined {
  // A 407 to a request without a tunnel.
  if (message === "proxy authentication required") return 407;
  const pattern = code === "ERR_PROXY_TUNNEL" ? /: HTTP\/1\.\d (\d{3})/ : /^Proxy response \((\d{3})\) !== 200/;
  const [, digits] = pattern.exec(message) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function wrongAgent(baseUrl: string, message: string): LookoutError {
  const text = `makes connections of another protocol than that of baseUrl, ${baseUrl} (${message})`;
  return new LookoutError("VALIDATION_ERROR", `agent ${text}`, { details: [{ field: "agent", message: text }] });
}

/** Names of OpenSSL's verification errors, and of Node's for a certificate of another host. */
function isCertificateCode(code: string): boolean {
  return /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF))/.test(
    code,
  );
}

/** Where the system looked for something else than baseUrl: a proxy. */
function otherAddressOf(baseUrl: string, systemError: unknown): string | undefined {
  const { port, address, hostname } = Object(systemError) as Readonly<Record<string, unknown>>;
  const url = new URL(baseUrl);
  const own = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (typeof port === "number" && port !== own) return `${String(address ?? "")}:${port}`;
  return typeof hostname === "string" && hostname !== url.hostname ? hostname : undefined;
}
