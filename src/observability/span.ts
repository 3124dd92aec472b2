/** Names, counts and outcomes; never what somebody sent. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type SpanOptions = {
  /** Who waits for it: a caller from outside (`server`), we for a store (`client`), a workflow for us (`consumer`). */
  readonly kind: "server" | "client" | "consumer" | "internal";
  readonly attributes?: SpanAttributes;
  /**
   * A traceparent (W3C Trace Context) from outside; "none" begins a trace. By default the span that we are in: without one, as in what a
   * process does by itself, nothing is recorded.
   */
  readonly parent?: string | undefined;
};

/** Records spans. */
export type Traces = {
  /** Runs `work` as a span, which fails if `work` rejects. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Notes how the call that we are in was answered; `status` is its HTTP status. */
  noteAnswer(protocol: string, status: number): void;
  /** Of the span that we are in. */
  traceparent(): string | undefined;
  /** Sends what is recorded. */
  stop(): Promise<void>;
};

/** Where it is reported that spans cannot be sent. */
export type TracesLog = { warn(fields: object, text: string): void; info(text: string): void };
