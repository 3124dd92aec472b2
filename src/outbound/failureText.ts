import { maxHeaderBytes } from "./exchange.ts";
import { OutboundRefused } from "./resolveHost.ts";

const texts: Readonly<Record<string, string>> = {
  ENOTFOUND: "the host name is unknown",
  ENODATA: "the host name has no address",
  EAI_AGAIN: "the name servers do not answer",
  ETIMEOUT: "the name servers do not answer",
  ECANCELLED: "the name servers do not answer",
  ESERVFAIL: "the name servers failed",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was reset",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  HPE_INVALID_CONSTANT: "the answer is not HTTP",
  HPE_HEADER_OVERFLOW: `the answer's headers are larger than ${maxHeaderBytes / 1_024} kB`,
  HPE_INVALID_HEADER_TOKEN: "a header of the answer has no colon, or a character that HTTP forbids in its name",
  HPE_UNEXPECTED_CONTENT_LENGTH: "the answer has more than one Content-Length",
  HPE_INVALID_CONTENT_LENGTH: "the answer's Content-Length is not a number",
  HPE_INVALID_CHUNK_SIZE: "the answer's chunks have no valid size",
  HPE_INVALID_STATUS: "the answer's status is not a number of three digits",
  EPROTO: "the TLS handshake failed",
};

/** The meaning of a failed request, for people, without the addresses in Node's messages. */
export function failureText(failure: unknown): string {
  if (failure instanceof OutboundRefused) return failure.message;
  if (!(failure instanceof Error)) return "the request failed";
  const code = "code" in failure && typeof failure.code === "string" ? failure.code : "";
  const known = texts[code];
  if (known !== undefined) return known;
  if (code.startsWith("HPE_")) return `the answer breaks HTTP/1.1 (${failure.message.replace("Parse Error: ", "")})`;
  if (code.startsWith("ERR_SSL") || code.startsWith("ERR_TLS")) return "the TLS handshake failed";
  if (code.startsWith("ERR_HTTP2")) return "the answer breaks HTTP/2";
  return code === "" ? failure.message : `the request failed (${code})`;
}
