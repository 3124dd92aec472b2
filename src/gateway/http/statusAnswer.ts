import { createHash } from "node:crypto";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { acceptedEncodings, isKnownTag } from "./contentNegotiation.ts";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";

export type Headers = Readonly<Record<string, string>>;

/** A body with its headers; compressed with the first use. */
export type Answer = {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: Headers;
  readonly compressed: Partial<Record<"br" | "gzip", Buffer>>;
};

export function answerOf(body: Buffer, headers: Headers): Answer {
  return { body, headers, etag: createHash("sha256").update(body).digest("base64url").slice(0, 22), compressed: {} };
}

/** `isText` is false for what is compressed already. */
export function send(
  request: HttpRequest,
  response: HttpResponse,
  status: number,
  answer: Answer,
  isText = true,
): void {
  const accepted = acceptedEncodings(request.headers["accept-encoding"]);
  const encoding = !isText ? undefined : accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : undefined;
  const body = encoding === undefined ? answer.body : compressed(answer, encoding);
  const etag = `"${answer.etag}${encoding === undefined ? "" : `-${encoding}`}"`;
  const headers = { ...answer.headers, etag, vary: "Accept-Encoding, Accept-Language" };
  if (status === 200 && isKnownTag(request.headers["if-none-match"], etag)) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(status, {
    ...headers,
    "content-length": body.length,
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** A page changes every few seconds, so a fast level is best. */
function compressed(answer: Answer, encoding: "br" | "gzip"): Buffer {
  answer.compressed[encoding] ??=
    encoding === "br"
      ? brotliCompressSync(answer.body, { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } })
      : gzipSync(answer.body, { level: 6 });
  return answer.compressed[encoding];
}
