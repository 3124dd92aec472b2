import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";
import { createRequestId } from "./requestId.ts";

/** Requests that node could not parse as HTTP/1.1, by error code: status and message. */
const answers: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The request's headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive"],
};

/** Answers an Expect header other than 100-continue (RFC 9110, section 10.1.1). */
export function answerExpectation(request: HttpRequest, response: HttpResponse): void {
  request.resume();
  const { body, headers } = refusal("The header Expect can only be 100-continue. Leave it out");
  response.writeHead(417, headers);
  response.end(body);
}

/** Answers input that never became a request with the common error body, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, message] = answers[error.code ?? ""] ?? [400, "The request is not valid HTTP/1.1"];
  const { body, headers } = refusal(message);
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

function refusal(message: string) {
  const requestId = createRequestId();
  const body = JSON.stringify({ success: false, error: message, code: "VALIDATION_ERROR", requestId });
  return {
    body,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
    },
  };
}
