import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { AnswerInParts } from "../../call/answerInParts.ts";
import type { GatewayApp } from "../gatewayApp.ts";
import { compress, compressor, encodingFor, encodingHeaders } from "../http/compression.ts";
import { crossOriginHeaders } from "../http/crossOrigin.ts";
import type { HttpCall, HttpRequest, HttpResponse } from "../http/httpCall.ts";
import { sendParts } from "./sendParts.ts";

/** Sends a text, JSON unless the call's headers say otherwise. A long one is compressed; a short one is sent at once. */
export function sendText(
  request: HttpRequest,
  response: HttpResponse,
  call: HttpCall<GatewayApp>,
  status: number,
  text: string,
): Promise<void> | undefined {
  const bytes = Buffer.byteLength(text);
  const encoding = encodingFor(request.headers["accept-encoding"], bytes);
  if (encoding !== undefined) return sendCompressed(request, response, call, status, text, bytes, encoding);
  // The client has disconnected: writing would throw on an HTTP/2 stream.
  if (response.destroyed) return undefined;
  const headers = headersOf(request, call);
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
  request: HttpRequest,
  response: HttpResponse,
  call: HttpCall<GatewayApp>,
  status: number,
  text: string,
  bytes: number,
  encoding: "br" | "gzip",
): Promise<void> {
  const body = await compress(text, encoding, bytes);
  if (response.destroyed) return;
  const headers = headersOf(request, call);
  Object.assign(headers, encodingHeaders(bytes, encoding, headers["vary"]));
  headers["content-length"] = body.length;
  response.writeHead(status, headers);
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Sends an answer's pieces, held until it is known that the answer is too long to be held. */
export function sendAnswerInParts(
  answer: AnswerInParts<object>,
  request: HttpRequest,
  response: HttpResponse,
  call: HttpCall<GatewayApp>,
): Promise<void> {
  return sendParts(answer.json(), call.signal, {
    begin: () => beginLongText(request, response, call),
    sendWhole: (text) => sendText(request, response, call, 200, text),
  });
}

function beginLongText(request: HttpRequest, response: HttpResponse, call: HttpCall<GatewayApp>): Writable {
  const encoding = encodingFor(request.headers["accept-encoding"], Infinity);
  const headers = headersOf(request, call);
  response.writeHead(200, { ...headers, ...encodingHeaders(Infinity, encoding, headers["vary"]) });
  if (encoding === undefined || request.method === "HEAD") return response;
  const compressing = compressor(encoding);
  // It fails when the client disconnects. The producer of the pieces learns that by the call's signal.
  pipeline(compressing, response).catch(() => undefined);
  return compressing;
}

function headersOf(request: HttpRequest, call: HttpCall<GatewayApp>): Record<string, string | number> {
  const headers: Record<string, string | number> = {
    "content-type": "application/json; charset=utf-8",
    // Answers about an organization, or with a key, must not be cached (RFC 9111, section 5.2.2.5).
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": call.requestId,
  };
  if (request.headers.origin !== undefined)
    Object.assign(headers, crossOriginHeaders(request.headers, call.allowsCookies));
  if (call.responseHeaders !== undefined) Object.assign(headers, call.responseHeaders);
  return headers;
}
