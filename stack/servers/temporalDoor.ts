import { randomBytes, randomInt } from "node:crypto";

/**
 * Keeps pages in a browser away from the two ports of Temporal that speak HTTP and ask for no password. The HTTP API accepts any
 * content type, including those that a browser sends without asking first. The Web UI does not check the Host header, so a page
 * whose host name was given the address of this computer may read it.
 */
export type TemporalDoor = {
  /** The only Host header that the HTTP API accepts. Our own checks send it. */
  readonly apiHost: string;
  /**
   * Where the Web UI listens: one of 16 million loopback addresses. guardTemporalUi admits requests with a name of this computer.
   */
  readonly uiAddress: string;
};

/** Chooses new values at each start. */
export function makeTemporalDoor(): TemporalDoor {
  const [a, b, c] = [randomInt(1, 255), randomInt(0, 256), randomInt(1, 255)];
  return { apiHost: `${randomBytes(16).toString("hex")}.lookout.invalid`, uiAddress: `127.${a}.${b}.${c}` };
}

/** Dynamic settings of the server. Nexus, which Lookout does not use, has paths that do not check the Host header. */
export function doorSettings({ apiHost }: TemporalDoor): Readonly<Record<string, unknown>> {
  return { "frontend.httpAllowedHosts": [apiHost], "system.enableNexus": false };
}
