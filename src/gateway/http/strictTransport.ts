import type { Config } from "../../config.ts";

/**
 * The Strict-Transport-Security header of all answers if the service is reached by https (RFC 6797), also through a
 * proxy; undefined if not. It covers this host only, since other hosts of the domain are not ours.
 */
export function strictTransport({ baseUrl, hstsMs }: Pick<Config["server"], "baseUrl" | "hstsMs">): string | undefined {
  return baseUrl.startsWith("https:") && hstsMs > 0 ? `max-age=${Math.floor(hstsMs / 1_000)}` : undefined;
}
