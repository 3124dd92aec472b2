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
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host name",
  CERT_REVOKED: "the certificate is revoked",
};

/** Checks the certificate of a TLS handshake. */
export function certificateOf(socket: TLSSocket): Certificate {
  const end = socket.getPeerCertificate().valid_to;
  const expiryMs = end === undefined ? Number.NaN : Date.parse(end);
  return {
    problem: socket.authorized ? undefined : problemOf(socket.authorizationError),
    expiryMs: Number.isNaN(expiryMs) ? undefined : expiryMs,
  };
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
