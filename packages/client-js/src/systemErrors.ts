/** What errors of Node's connections say, and those of browsers do not. */
import { LookoutError } from "./lookoutError.ts";

/** The system's own words, and its error. */
type SystemWords = { readonly code: string; readonly message: string; readonly cause: unknown };

/** That a certificate is not trusted, or that what answers does not speak TLS. */
export function tlsProblem(baseUrl: string, { code, message, cause }: SystemWords): LookoutError | undefined {
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

/** Names of OpenSSL's verification errors, and of Node's for a certificate of another host. */
function isCertificateCode(code: string): boolean {
  return /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF))/.test(
    code,
  );
}

/** Where the system looked for something else than baseUrl: a proxy. */
export function otherAddressOf(baseUrl: string, systemError: unknown): string | undefined {
  const { port, address, hostname } = Object(systemError) as Readonly<Record<string, unknown>>;
  const url = new URL(baseUrl);
  const own = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (typeof port === "number" && port !== own) return `${String(address ?? "")}:${port}`;
  return typeof hostname === "string" && hostname !== url.hostname ? hostname : undefined;
}
