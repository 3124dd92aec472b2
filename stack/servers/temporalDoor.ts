import { randomBytes, randomInt } from "node:crypto";

/**
 * What keeps pages in a browser from the two ports of Temporal that speak HTTP and ask for no password. Its HTTP API takes a request with
 * any type of content, which a browser sends without asking first; the Web UI does not look at the Host header, so that a page whose host
 * name has been given the address of this computer may read it.
 */
export type TemporalDoor = {
  /** The only Host header that the HTTP API takes. Our own checks send it. */
  readonly apiHost: string;
  /** Where the Web UI listens: one of 16 million loopback addresses. guardTemporalUi lets in who sends a name of this computer. */
  readonly uiAddress: string;
};

/** A new one at each start. */
export function makeTemporalDoor(): TemporalDoor {
  const [a, b, c] = [randomInt(1, 255), randomInt(0, 256), randomInt(1, 255)];
  return { apiHost: `${randomBytes(16).toString("hex")}.lookout.invalid`, uiAddress: `127.${a}.${b}.${c}` };
}

/** Dynamic settings of the server. Nexus, which Lookout does not use, has paths that do not look at the Host header. */
export function doorSettings({ apiHost }: TemporalDoor): Readonly<Record<string, unknown>> {
  return { "frontend.httpAllowedHosts": [apiHost], "system.enableNexus": false };
}
