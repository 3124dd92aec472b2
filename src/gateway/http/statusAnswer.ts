import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { type Encoding, encodingFor } from "./compression.ts";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";
import { type Headers, sendBody, tagOf } from "./sendBody.ts";

/** A body with its headers; compressed with the first use. */
export type Answer = {
  readonly body: Buffer;
  readonly tag: string;
  readonly headers: Headers;
  readonly compressed: Partial<Record<Encoding, Buffer>>;
};

export function answerOf(body: Buffer, headers: Headers): Answer {
  return { body, headers, tag: tagOf(body), compressed: {} };
}

/** `isText` is false for what is compressed already. */
export function send(
  request: HttpRequest,
  response: HttpResponse,
  status: number,
  answer: Answer,
  isText = true,
): void {
  const encoding = isText ? encodingFor(request.headers["accept-encoding"], Infinity) : undefined;
  const body = encoding === undefined ? answer.body : compressed(answer, encoding);
  const headers = { ...answer.headers, vary: "Accept-Encoding, Accept-Language" };
  sendBody(request, response, { encoding, body }, answer.tag, headers, status);
}

/** A page changes every few seconds, so a fast level is best. */
function compressed(answer: Answer, encoding: Encoding): Buffer {
  answer.compressed[encoding] ??=
    encoding === "br"
      ? brotliCompressSync(answer.body, { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } })
      : gzipSync(answer.body, { level: 6 });
  return answer.compressed[encoding];
}
