/** Encodings of an Accept-Encoding header, without those that it refuses with `q=0` (RFC 9110, section 12.5.3). */
export function acceptedEncodings(header: string | string[] | undefined): ReadonlySet<string> {
  const parts = String(header ?? "").split(",");
  return new Set(
    parts.flatMap((part) => {
      const [coding = "", ...parameters] = part.toLowerCase().split(";");
      return parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter)) ? [] : coding.trim();
    }),
  );
}

/** If-None-Match compares weakly: proxies that compress turn a tag into `W/"…"` (RFC 9110, section 13.1.2). */
export function isKnownTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
