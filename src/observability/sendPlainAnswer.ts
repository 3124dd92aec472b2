import type { IncomingMessage, ServerResponse } from "node:http";
import type { PlainAnswer } from "./operatorAnswers.ts";

/** Sends an answer that must not be cached; to HEAD without its body. */
export function sendPlainAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, contentType, body }: PlainAnswer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    "content-type": contentType,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
