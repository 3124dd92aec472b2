/** A place in the app: the segments of its path below the base, and its query parameters. */
export type Place = {
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** The text after `#`. Tokens of e-mails are here, since servers never see it. */
  readonly fragment: string;
};

/** Reads an address. `base` is the path of the app, with a slash at both ends. */
export function readPlace(address: URL, base: string): Place {
  const path = address.pathname.startsWith(base) ? address.pathname.slice(base.length) : "";
  return {
    segments: path
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeSegment),
    query: address.searchParams,
    fragment: address.hash.slice(1),
  };
}

/** The address of a place, from the root of the host. */
export function addressOf(base: string, segments: readonly string[], query?: URLSearchParams): string {
  const text = query?.toString() ?? "";
  return base + segments.map(encodeURIComponent).join("/") + (text === "" ? "" : `?${text}`);
}

/** People edit addresses: a segment that cannot be decoded is left unchanged. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
