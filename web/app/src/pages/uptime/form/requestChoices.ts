/** The methods of a check's request. */
export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** The versions of IP, with a word for the choice that the service makes. */
export function ipVersions(auto: string) {
  return { auto, 4: "IPv4", 6: "IPv6" } as const;
}

/** The same of HTTP. */
export function httpVersions(auto: string) {
  return { auto, "1.1": "HTTP/1.1", 2: "HTTP/2" } as const;
}
