import type { Metrics } from "./metrics.ts";

export type PlainAnswer = { readonly status: number; readonly contentType: string; readonly body: string | Buffer };

/**
 * What a process answers its operator, by path: /healthz (the process answers), /readyz (what `readyz` says about its health) and
 * /metrics (Prometheus text format).
 */
export function operatorAnswers(
  { registry }: Pick<Metrics, "registry">,
  readyz: () => Promise<PlainAnswer>,
): ReadonlyMap<string, () => Promise<PlainAnswer>> {
  return new Map([
    ["/healthz", async () => ({ status: 200, contentType: json, body: JSON.stringify({ status: "ok" }) })],
    ["/readyz", readyz],
    ["/metrics", async () => ({ status: 200, contentType: registry.contentType, body: await registry.metrics() })],
  ]);
}

const json = "application/json; charset=utf-8";
