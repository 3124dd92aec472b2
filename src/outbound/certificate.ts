import { isIP } from "node:net";
import type { TLSSocket } from "node:tls";

/**
 * The facts of a server's certificate. `problem` is why it is invalid: chain, host name or time; undefined for a valid
 * one.
 */
export type Certificate = {
  readonly problem: string | undefined;
  /** Unix ms. */
  readonly expiryMs: number | undefined;
};

const texts: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate's chain ends in an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate's chain is incomplete",
  UNABLE_TO_GET_ISSUER_CERT: "the certificate's chain is incomplete",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate's chain is incomplete or ends in an unknown authority",
  CERT_REVOKED: "the certificate is revoked",
};

/** Checks the certificate of a TLS handshake with a host, a name or an IP address. */
export function certificateOf(socket: TLSSocket, host: string): Certificate {
  const end = socket.getPeerCertificate().valid_to;
  const expiryMs = end === undefined ? Number.NaN : Date.parse(end);
  return {
    problem: socket.authorized ? identityProblem(socket, host) : problemOf(socket.authorizationError),
    expiryMs: Number.isNaN(expiryMs) ? undefined : expiryMs,
  };
}

/**
 * Whether the certificate names the host as browsers ask for it (RFC 9525 6.3, CA/Browser Forum Baseline Requirements 7.1.2.7.12): in its
 * subjectAltName, whatever its common name is, and with a wildcard only for a whole label.
 */
function identityProblem(socket: TLSSocket, host: string): string | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return "the server has no certificate";
  if (certificate.subjectAltName === undefined)
    return "the certificate has no subjectAltName, and browsers do not take the common name for a host name";
  const names =
    isIP(host) === 0
      ? certificate.checkHost(host.replace(/\.$/, ""), { subject: "never", partialWildcards: false })
      : certificate.checkIP(host);
  return names === undefined ? "the certificate is for another host name" : undefined;
}

function problemOf(error: Error | string | null | undefined): string {
  const code = codeOf(error);
  return texts[code] ?? `the certificate does not hold (${code || "unknown reason"})`;
}

/** Node reports a code as text, or an error that has one. */
function codeOf(error: Error | string | null | undefined): string {
  if (error === null || error === undefined) return "";
  if (typeof error === "string") return error;
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
