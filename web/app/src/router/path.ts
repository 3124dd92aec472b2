/** A place in the app: its path below the base in segments, and the parameters behind the question mark. */
export type Place = {
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** What follows `#`, without it. Tokens of e-mails come here, since servers never see it. */
  readonly fragment: string;
};

/** Reads an address. `base` is the path of the app, with slashes around. */
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

/** People edit addresses: what cannot be decoded is left as it is. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
