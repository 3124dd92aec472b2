/** What a check requests of a URL. Durations are milliseconds. */
export type CheckTarget = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Such as 200, 200-299 or 2xx; one match is enough. */
  readonly expectedStatus: readonly string[];
  /** Text the answer must contain; empty for none. */
  readonly keyword: string;
  readonly timeoutMs: number;
  readonly cacheBust: boolean;
  readonly jsonParsingConfig?: JsonParsingConfig | undefined;
  readonly ipVersion: "auto" | "4" | "6";
  readonly httpVersion: "auto" | "1.1" | "2";
  /** A good answer that takes longer is degraded; 0 for no limit. */
  readonly degradedAfterMs: number;
};

/** How a JSON answer is validated: all assertions must hold. */
export type JsonParsingConfig = {
  readonly enabled: boolean;
  readonly assertions: JsonAssertion[];
};

/** `path` is a JSONPath such as $.status or $.checks[0].ok (RFC 9535, members and indexes). */
export type JsonAssertion = {
  readonly path: string;
  readonly operator: "exists" | "eq" | "ne" | "contains" | "gt" | "gte" | "lt" | "lte";
  readonly value?: string | number | boolean | null;
};

export type CheckStatus = "up" | "down" | "degraded";

/** The result of one region's check. Durations of steps that did not happen are 0. */
export type CheckOutcome = {
  readonly status: CheckStatus;
  /** 0 without an answer. */
  readonly httpCode: number;
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
  readonly ttfbMs: number;
  readonly totalMs: number;
  readonly responseBytes: number;
  /** Absent where no certificate was seen. */
  readonly sslValid?: boolean | undefined;
  /** Unix ms. */
  readonly sslExpiryMs?: number | undefined;
  readonly error?: string | undefined;
  /** Unix ms. */
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly attempts: number;
};
