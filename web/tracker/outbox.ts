import { toJson } from "./json.ts";
import { listen } from "./listen.ts";
import { warn } from "./warn.ts";

export type Outbox = {
  put(apiPath: string, item: object): void;
  /** Sends all waiting items; with `isLast` without waiting for an answer, since the page ends. */
  flush(isLast?: boolean): void;
};

/**
 * Sends items in batches and keeps them in memory until the server has accepted them. They are sent as text, so that
 * browsers need no preflight. A batch may arrive twice: each item has an id, by which the server counts it once.
 */
export function createOutbox(apiUrl: string, query: string): Outbox {
  /**
   * As many as a request may hold; further items are dropped, so that a page that stays offline for hours does not
   * grow.
   */
  const maxWaiting = 100;
  /** Events at about the same time are sent together. */
  const delayMs = 1e3;
  /** Browsers let 64 KiB outlive the page and refuse more; a character has up to three bytes. */
  const maxOutliveLength = 2e4;

  const waiting: Record<string, object[]> = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isWarned = 0;

  const flushLater = (ms: number) => {
    if (!timer) timer = setTimeout(flush, ms);
  };

  const flush = (isLast?: boolean) => {
    timer = undefined;
    // Not `in`, which has what a page added to all objects.
    for (const apiPath of Object.keys(waiting)) {
      const items = waiting[apiPath] as object[];
      const batch = items.splice(0, maxWaiting);
      const url = apiUrl + apiPath + query;
      const body = toJson(batch);
      if (batch[0] && !(isLast && navigator.sendBeacon(url, body)))
        fetch(url, { method: "POST", body, keepalive: body.length < maxOutliveLength })
          .then(({ status }) => {
            // 429 Too Many Requests and all 5xx may be temporary; other refusals would be repeated.
            if (status > 428) throw status;
            if (status === 404 && !isWarned++) warn("unknown website id");
            failures = 0;
          })
          .catch(() => {
            items.unshift(...batch);
            flushLater(delayMs * ++failures);
          });
    }
  };

  listen("online", () => flush());

  return {
    put(apiPath, item) {
      waiting[apiPath] ??= [];
      if (waiting[apiPath].length < maxWaiting) waiting[apiPath].push(item);
      flushLater(delayMs);
    },
    flush,
  };
}
