import { createHash } from "node:crypto";
import type { Encoding } from "./compression.ts";
import { acceptedEncodings, isKnownTag } from "./contentNegotiation.ts";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";

export type Headers = Readonly<Record<string, string>>;

/** A body as it is, and in the encodings in which it is kept. */
export type Bodies = { readonly plain: Buffer; readonly br?: Buffer; readonly gzip?: Buffer };

/** A body as one client gets it. */
export type EncodedBody = { readonly encoding: Encoding | undefined; readonly body: Buffer };

/** The best form of a body that the client accepts. */
export function acceptedBody({ headers }: HttpRequest, bodies: Bodies): EncodedBody {
  const accepted = acceptedEncodings(headers["accept-encoding"]);
  for (const encoding of ["br", "gzip"] as const) {
    const body = bodies[encoding];
    if (body !== undefined && accepted.has(encoding)) return { encoding, body };
  }
  return { encoding: undefined, body: bodies.plain };
}

/** Names the content of a body, for `sendBody`. */
export function tagOf(body: Buffer | string): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 22);
}

/** Answers GET and HEAD with a body that `tag` names, and a conditional request that knows it with 304. */
export function sendBody(
  request: HttpRequest,
  response: HttpResponse,
  { encoding, body }: EncodedBody,
  tag: string,
  headers: Headers,
  status = 200,
): void {
  request.resume();
  // Each encoding is a representation of its own (RFC 9110, section 8.8.3.3).
  const etag = `"${tag}${encoding === undefined ? "" : `-${encoding}`}"`;
  const all = { vary: "Accept-Encoding", ...headers, etag, "x-content-type-options": "nosniff" };
  if (status === 200 && isKnownTag(request.headers["if-none-match"], etag)) {
    response.writeHead(304, all);
    response.end();
    return;
  }
  response.writeHead(status, {
    ...all,
    "content-length": body.length,
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
