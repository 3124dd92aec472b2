import type { Config } from "../../config.ts";

/**
 * The Strict-Transport-Security that every answer carries where people reach the service by https (RFC 6797), also through a proxy;
 * undefined where they do not. It speaks for this host only, since nothing is known of others of the domain.
 */
export function strictTransport({ baseUrl, hstsMs }: Pick<Config["server"], "baseUrl" | "hstsMs">): string | undefined {
  return baseUrl.startsWith("https:") && hstsMs > 0 ? `max-age=${Math.floor(hstsMs / 1_000)}` : undefined;
}
