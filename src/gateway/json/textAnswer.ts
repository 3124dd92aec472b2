import { once } from "node:events";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { AnswerInParts } from "../../call/answerInParts.ts";
import type { GatewayApp } from "../gatewayApp.ts";
import { compress, compressor, type Encoding, encodingFor, encodingHeaders } from "../http/compression.ts";
import { crossOriginHeaders } from "../http/crossOrigin.ts";
import type { HttpCall } from "../http/httpCall.ts";

/** Sends a text, JSON unless the call's headers say otherwise. A long one is compressed; a short one is sent at once. */
export function sendText(call: HttpCall<GatewayApp>, status: number, text: string): Promise<void> | undefined {
  const { request, response } = call;
  const bytes = Buffer.byteLength(text);
  const encoding = encodingFor(request.headers["accept-encoding"], bytes);
  if (encoding !== undefined) return sendCompressed(call, status, text, bytes, encoding);
  // The client has disconnected: writing would throw on an HTTP/2 stream.
  if (response.destroyed) return undefined;
  const headers = headersOf(call);
  Object.assign(headers, encodingHeaders(bytes, undefined, headers["vary"]));
  headers["content-length"] = bytes;
  response.writeHead(status, headers);
  if (request.method === "HEAD") response.end();
  // A string is sent in one piece with the headers, a buffer in a second piece. As many bytes as characters means
  // ASCII, which "latin1" copies instead of encoding it.
  else response.end(text, bytes === text.length ? "latin1" : "utf8");
  return undefined;
}

async function sendCompressed(
  call: HttpCall<GatewayApp>,
  status: number,
  text: string,
  bytes: number,
  encoding: Encoding,
): Promise<void> {
  const { request, response } = call;
  const body = await compress(text, encoding, bytes);
  if (response.destroyed) return;
  const headers = headersOf(call);
  Object.assign(headers, encodingHeaders(bytes, encoding, headers["vary"]));
  headers["content-length"] = body.length;
  response.writeHead(status, headers);
  response.end(request.method === "HEAD" ? undefined : body);
}

/** An answer of at most this many characters is sent in one piece, with its length. */
const maxHeldChars = 4_194_304;

/**
 * Sends an answer's pieces at the client's pace, held until it is known that the answer is too long to be held. Rejects with what the
 * pieces throw, and with the signal's reason when the client disconnects.
 */
export async function sendAnswerInParts(answer: AnswerInParts<object>, call: HttpCall<GatewayApp>): Promise<void> {
  const { signal } = call;
  const held: string[] = [];
  let heldChars = 0;
  let sink: Writable | undefined;
  for await (const piece of answer.json()) {
    signal.throwIfAborted();
    held.push(piece);
    heldChars += piece.length;
    if (heldChars <= maxHeldChars && sink === undefined) continue;
    sink ??= beginLongText(call);
    if (!sink.write(held.join(""))) await once(sink, "drain", { signal });
    held.length = 0;
  }
  if (sink === undefined) await sendText(call, 200, held.join(""));
  else sink.end(held.join(""));
}

function beginLongText(call: HttpCall<GatewayApp>): Writable {
  const { request, response } = call;
  const encoding = encodingFor(request.headers["accept-encoding"], Infinity);
  const headers = headersOf(call);
  response.writeHead(200, { ...headers, ...encodingHeaders(Infinity, encoding, headers["vary"]) });
  if (encoding === undefined || request.method === "HEAD") return response;
  const compressing = compressor(encoding);
  // It fails when the client disconnects. The producer of the pieces learns that by the call's signal.
  pipeline(compressing, response).catch(() => undefined);
  return compressing;
}

function headersOf(call: HttpCall<GatewayApp>): Record<string, string | number> {
  const headers: Record<string, string | number> = {
    "content-type": "application/json; charset=utf-8",
    // Answers about an organization, or with a key, must not be cached (RFC 9111, section 5.2.2.5).
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": call.requestId,
  };
  const { headers: sent } = call.request;
  if (sent.origin !== undefined) Object.assign(headers, crossOriginHeaders(sent, call.allowsCookies));
  if (call.responseHeaders !== undefined) Object.assign(headers, call.responseHeaders);
  return headers;
}
