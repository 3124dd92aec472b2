/**
 * Whether a Host header is a name of this computer that no other one can have. A page in a browser that gives its own host name the
 * address of this computer (DNS rebinding) sends its own name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host ?? "");
}

/** Whether a server that listens on this address is reached from this computer only. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || (!address.includes(":") && isLoopbackHost(address));
}
