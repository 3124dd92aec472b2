/** What came with an answer beside its message. */
export type LookoutResponse = {
  /** Of HTTP. 200 over gRPC too. */
  readonly status: number;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** How often the call was made until it succeeded. */
  readonly attempts: number;
  /** Whether the service had answered a call with the same idempotency key before, and made nothing this time. */
  readonly isReplayed: boolean;
};

const responses = new WeakMap<object, LookoutResponse>();

/** The headers, the status and the request's id of an answer that a call has resolved with. Undefined for any other object. */
export function responseOf(answer: object): LookoutResponse | undefined {
  return responses.get(answer);
}

/** Remembers what came with an answer. */
export function rememberResponse(answer: unknown, headers: Headers, attempts: number): void {
  if (typeof answer !== "object" || answer === null) return;
  responses.set(answer, {
    // A call that does not throw was answered with this status: Connect takes no other one for a success.
    status: 200,
    headers,
    requestId: headers.get("x-request-id") ?? undefined,
    attempts,
    isReplayed: headers.get("idempotency-replayed") === "true",
  });
}

/** Makes `copy` the same answer. */
export function sameResponse<T extends object>(copy: T, answer: object): T {
  const response = responses.get(answer);
  if (response !== undefined) responses.set(copy, response);
  return copy;
}
