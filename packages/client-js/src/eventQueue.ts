import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { asLookoutError, culpritsOf, isBlocking, refused, requireResults } from "./eventFailures.ts";
import { type EventResult, type FlatEvent, FlatEventSchema } from "./gen/lookout/v1/ingest_pb.ts";
import type { JsonObjectInput } from "./jsonInput.ts";
import { LookoutError, type LookoutErrorCode } from "./lookoutError.ts";
import { nearestName } from "./nearestName.ts";
import { readInit } from "./readRequest.ts";
import { backoffMs } from "./retry.ts";

/** An event. `page_view` is a page view, every other name but `page_exit` a custom event. */
export type TrackedEvent = {
  /** What happened, such as `page_view` or `signed_up`. */
  readonly name: string;
  /** For deduplication; a random one by default. The same id counts once in 24 hours. */
  readonly eventId?: string | undefined;
  /** The visitor, as the tracker of the page names them. */
  readonly anonymousId?: string | undefined;
  /** The session, as the tracker of the page names it. */
  readonly sessionId?: string | undefined;
  /** When it happened, a Date or Unix ms. The default is now. */
  readonly timestamp?: number | Date | undefined;
  /** Path or absolute URL of the page. */
  readonly path?: string | undefined;
  /** Title of the page. */
  readonly title?: string | undefined;
  /** Where the visitor came from: an absolute URL. */
  readonly referrer?: string | undefined;
  /** The visitor's language, such as `de-AT`. */
  readonly language?: string | undefined;
  /** The visitor's IANA time zone, such as `Europe/Vienna`. */
  readonly timezone?: string | undefined;
  /** Where the visit came from, such as `newsletter`. */
  readonly utmSource?: string | undefined;
  /** By which way, such as `email`. */
  readonly utmMedium?: string | undefined;
  /** By which campaign, such as `spring_sale`. */
  readonly utmCampaign?: string | undefined;
  /** The term that was searched for. */
  readonly utmTerm?: string | undefined;
  /** Which of several links of the campaign it was. */
  readonly utmContent?: string | undefined;
  /** Facts about the event, such as `{ plan: "pro" }`, which queries filter and group by as `properties.plan`. */
  readonly properties?: JsonObjectInput | undefined;
  /** The visitor's address, looked up for the place and then dropped. This and what follows needs a key with write:events. */
  readonly ip?: string | undefined;
  /** The visitor's User-Agent header. */
  readonly userAgent?: string | undefined;
  /** Instead of the user agent: the browser's name, such as Chrome. */
  readonly browser?: string | undefined;
  /** Instead of the user agent: the system's name, such as Windows. */
  readonly os?: string | undefined;
  /** Instead of the user agent: the kind of device. */
  readonly device?: "desktop" | "mobile" | "tablet" | "tv" | undefined;
  /** Instead of the address: the country, ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** Instead of the address: the region's English name, such as Bavaria. */
  readonly region?: string | undefined;
  /** Instead of the address: the city's English name, such as Munich. */
  readonly city?: string | undefined;
};

export type EventQueueOptions = {
  /** Events that wait at most; further ones are dropped. The default is 10,000. */
  readonly maxEvents: number;
  /** How long an event waits for others to be sent with, ms. The default is 1 s; 100 events do not wait. */
  readonly flushIntervalMs: number;
  /** How long flush(), close() and the end of the process wait for events to be sent, ms. The default is 5 s. */
  readonly closeTimeoutMs: number;
  /**
   * Called with events that were not and will not be stored, and why: the service refused them, a proxy takes no request of their size, there
   * were too many, they waited for 23 hours, or close() could not send them in time. The default logs a warning.
   */
  readonly onDropped: (events: readonly TrackedEvent[], error: LookoutError) => void;
  /**
   * Called with the name of a member that events do not have, and the one that was probably meant: once for each name. The event is sent without
   * it.
   */
  readonly onIgnored: (name: string, suggestion: string | undefined) => void;
  /**
   * Called when events cannot be sent until someone changes something, such as a wrong key or website id, a certificate that is not trusted,
   * or a proxy that refuses. They stay in the queue and are tried again. Called once for each code until events are sent again.
   */
  readonly onBlocked: (error: LookoutError) => void;
};

/** Sends up to 100 events and answers what became of each, or throws a LookoutError. */
export type SendEvents = (events: readonly FlatEvent[], signal: AbortSignal) => Promise<readonly EventResult[]>;

type Waiting = {
  readonly event: TrackedEvent;
  readonly message: FlatEvent;
  readonly bytes: number;
  readonly queuedMs: number;
};

const memberNames = FlatEventSchema.fields.map(({ localName }) => localName);
/** What the service takes in one call. */
const mostEvents = 100;
/** Half of the service's default limit, which the encoding of the call is part of. */
const mostBytes = 524_288;
const firstWaitMs = 250;
/** The service recognizes an event id for 24 hours: what has waited almost that long may not be sent again. */
const mostAgeMs = 23 * 3_600_000;

/**
 * Sends events in batches and in order. Events have ids from the beginning, so a batch whose answer got lost can be sent
 * again without counting twice. Whatever does not depend on the events is tried again for as long as they fit into the
 * queue, after at most 30 s or what Retry-After says; what is given up is reported to onDropped.
 */
export class EventQueue {
  readonly #send: SendEvents;
  readonly #options: EventQueueOptions;
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  /** Ends the wait before the next try. */
  #wake: (() => void) | undefined;
  readonly #stop = new AbortController();
  #isClosed = false;
  #failures = 0;
  /** Events in one call at most: fewer once a proxy has refused that many as too large. */
  #most = mostEvents;
  #lastError: LookoutError | undefined;
  /** The names that onIgnored was called with. */
  readonly #ignored = new Set<string>();
  /** The last reason that onBlocked was called for. */
  #blockedBy: LookoutErrorCode | undefined;

  constructor(send: SendEvents, options: EventQueueOptions) {
    this.#send = send;
    this.#options = options;
  }

  /** How many events wait to be sent. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Takes an event to be sent soon. False when it was dropped, because the queue is full or closed. */
  track(event: TrackedEvent): boolean {
    const identified = {
      ...event,
      eventId: event.eventId ?? crypto.randomUUID(),
      timestamp: Number(event.timestamp ?? Date.now()),
    };
    if (this.#isClosed) {
      this.#drop([identified], new LookoutError("CLOSED", "The event came after close()"));
      return false;
    }
    if (this.#waiting.length >= this.#options.maxEvents) {
      const why = this.#lastError === undefined ? "" : `. The last failure: ${this.#lastError.message}`;
      this.#drop([identified], new LookoutError("QUEUE_FULL", `${this.#options.maxEvents} events wait already${why}`));
      return false;
    }
    this.#reportIgnored(event);
    const encoded = this.#encode(identified);
    if (encoded === undefined) return false;
    this.#waiting.push({ event: identified, ...encoded, queuedMs: Date.now() });
    if (this.#waiting.length >= mostEvents && this.#failures === 0) this.#run();
    else this.#schedule(this.#options.flushIntervalMs);
    return true;
  }

  /**
   * Sends what waits, at once, also where the next try would be later. Resolves when everything tracked until now was sent or dropped. Rejects
   * with TIMEOUT when that takes longer than `timeoutMs` (by default `closeTimeoutMs`, 5 s), and at once with the error when waiting does not
   * help, such as INVALID_API_KEY or a certificate that is not trusted; the events then stay in the queue, and close() tries once more.
   */
  async flush(timeoutMs = this.#options.closeTimeoutMs): Promise<void> {
    const last = this.#waiting.at(-1);
    const deadlineMs = Date.now() + timeoutMs;
    while (last !== undefined && this.#waiting.includes(last)) {
      this.#wake?.();
      this.#run();
      const leftMs = deadlineMs - Date.now();
      if (leftMs <= 0 || (await isSlow(this.#sending, leftMs)))
        throw new LookoutError(
          "TIMEOUT",
          `${this.#waiting.length} events are not sent after ${timeoutMs} ms${this.#lastError === undefined ? "" : `. ${this.#lastError.message}`}`,
          { cause: this.#lastError },
        );
      if (this.#lastError !== undefined && isBlocking(this.#lastError)) throw this.#lastError;
    }
  }

  /**
   * Sends what waits, for at most `timeoutMs` (by default `closeTimeoutMs`, 5 s), and takes no further events. What cannot be sent by then is
   * dropped, which onDropped is told. It does not reject.
   */
  async close(timeoutMs = this.#options.closeTimeoutMs): Promise<void> {
    this.#isClosed = true;
    try {
      await this.flush(timeoutMs);
    } catch (error) {
      this.#stop.abort();
      const rest = this.#waiting;
      this.#waiting = [];
      this.#drop(
        rest.map(({ event }) => event),
        asLookoutError(error),
      );
    }
    clearTimeout(this.#timer);
  }

  /** Undefined for an event that cannot be sent, such as one with an invalid Date or a property that is NaN, which is dropped. */
  #encode(event: TrackedEvent): { readonly message: FlatEvent; readonly bytes: number } | undefined {
    try {
      const init = readInit(FlatEventSchema, event, { isLenient: true });
      const message = create(FlatEventSchema, init as MessageInitShape<typeof FlatEventSchema>);
      return { message, bytes: toBinary(FlatEventSchema, message).length };
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const details = cause instanceof LookoutError ? cause.details : [];
      this.#drop([event], new LookoutError("VALIDATION_ERROR", `The event cannot be sent: ${why}`, { details, cause }));
      return undefined;
    }
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#sending !== undefined) return;
    this.#timer = setTimeout(() => this.#run(), ms);
    letProcessEnd(this.#timer);
  }

  #run(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      // Blocked: what waits is tried again, like after a temporary failure.
      if (this.#waiting.length > 0 && !this.#isClosed) this.#schedule(backoffMs(this.#failures, firstWaitMs));
    });
  }

  /** Sends batches until nothing waits, or until sending is blocked. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stop.signal.aborted) {
      const batch = this.#nextBatch();
      try {
        const results = await this.#send(
          batch.map(({ message }) => message),
          this.#stop.signal,
        );
        requireResults(results, batch.length);
        this.#finish(batch);
        this.#failures = 0;
        this.#lastError = undefined;
        this.#blockedBy = undefined;
        for (const [index, result] of results.entries())
          if (result.status === "error")
            this.#drop(
              batch.slice(index, index + 1).map(({ event }) => event),
              refused(result.message),
            );
      } catch (thrown) {
        const error = asLookoutError(thrown);
        if (this.#stop.signal.aborted) return;
        this.#lastError = error;
        if (error.status === 413 && batch.length > 1) {
          this.#most = Math.floor(batch.length / 2);
          continue;
        }
        const isBlocked = isBlocking(error);
        // About the events.
        if (!error.isTemporary && !isBlocked) {
          this.#refuse(culpritsOf(error, batch), error);
          continue;
        }
        this.#failures += 1;
        this.#dropOld(error);
        if (isBlocked) return this.#reportBlocked(error);
        await this.#pause(error.retryAfterMs ?? backoffMs(this.#failures, firstWaitMs));
      }
    }
  }

  #nextBatch(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.slice(0, this.#most).findIndex((each, index) => {
      bytes += each.bytes;
      return index > 0 && bytes > mostBytes;
    });
    return this.#waiting.slice(0, end < 0 ? this.#most : end);
  }

  /** Only this loop and close() remove events; what it has sent are the first ones. */
  #finish(batch: readonly Waiting[]): void {
    this.#waiting.splice(0, batch.length);
  }

  #refuse(culprits: readonly Waiting[], error: LookoutError): void {
    this.#waiting = this.#waiting.filter((each) => !culprits.includes(each));
    this.#drop(
      culprits.map(({ event }) => event),
      error,
    );
  }

  #reportIgnored(event: TrackedEvent): void {
    for (const [name, value] of Object.entries(event)) {
      if (value === undefined || memberNames.includes(name) || this.#ignored.has(name)) continue;
      this.#ignored.add(name);
      queueMicrotask(() => this.#options.onIgnored(name, nearestName(name, memberNames)));
    }
  }

  #reportBlocked(error: LookoutError): void {
    if (this.#blockedBy === error.code) return;
    this.#blockedBy = error.code;
    // An error of the callback must not stop the queue.
    queueMicrotask(() => this.#options.onBlocked(error));
  }

  #dropOld(error: LookoutError): void {
    const oldestMs = Date.now() - mostAgeMs;
    const young = this.#waiting.findIndex(({ queuedMs }) => queuedMs > oldestMs);
    const old = this.#waiting.splice(0, young < 0 ? this.#waiting.length : young);
    this.#drop(
      old.map(({ event }) => event),
      error,
    );
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      letProcessEnd(timer);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }

  #drop(events: readonly TrackedEvent[], error: LookoutError): void {
    // An error of the callback must not stop the queue.
    if (events.length > 0) queueMicrotask(() => this.#options.onDropped(events, error));
  }
}

/** Waiting events do not keep a process alive: they are flushed before it ends. Browsers have numbers for timers. */
function letProcessEnd(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
}

/** Whether a promise takes longer than this. */
async function isSlow(promise: Promise<void> | undefined, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  const isLate = await Promise.race([late, Promise.resolve(promise).then(() => false)]);
  clearTimeout(timer);
  return isLate;
}
