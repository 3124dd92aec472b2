import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { createRequestId } from "./requestId.ts";

/** What node could not read as HTTP/1.1, by its error code: status and message. */
const answers: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The request's headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive"],
};

/** Answers what never became a request with the common error body, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, message] = answers[error.code ?? ""] ?? [400, "The request is not valid HTTP/1.1"];
  const requestId = createRequestId();
  const body = JSON.stringify({ success: false, error: message, code: "VALIDATION_ERROR", requestId });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `cache-control: no-store\r\nx-content-type-options: nosniff\r\nx-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  );
}
