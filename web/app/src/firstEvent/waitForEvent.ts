import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Website, WebsiteService } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../api/client.ts";

/** lost: the service is unreachable. unknown: it cannot read events at the moment. */
export type Waiting = "waiting" | "unknown" | "lost" | "arrived";

const client = clientOf(WebsiteService);

/** The service looks for a first event at most this often. */
const firstWaitMs = 2_000;
const mostWaitMs = 10_000;

/**
 * Undefined until it is known. Polls the website until it has had an event, less and less often, and at once when the page comes to the front. Does not poll
 * in the background.
 */
export function useFirstEvent({ id }: Pick<Website, "id">): Waiting | undefined {
  const state = useSignal<Waiting | undefined>(undefined);
  useEffect(() => {
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waitMs = firstWaitMs;
    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      if (document.hidden || end.signal.aborted) return;
      try {
        const { website } = await client.getWebsite({ id }, { signal: end.signal });
        const status = website?.trackingStatus ?? "unknown";
        state.value = hadEvent(status) ? "arrived" : status === "unknown" ? "unknown" : "waiting";
      } catch {
        if (!end.signal.aborted) state.value = "lost";
      }
      if (state.value === "arrived" || end.signal.aborted) return;
      timer = setTimeout(() => void ask(), waitMs);
      waitMs = Math.min(waitMs * 1.25, mostWaitMs);
    };
    const askAgain = (): void => {
      waitMs = firstWaitMs;
      void ask();
    };
    document.addEventListener("visibilitychange", askAgain, { signal: end.signal });
    addEventListener("online", askAgain, { signal: end.signal });
    void ask();
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, [id, state]);
  return state.value;
}

function hadEvent(trackingStatus: string): boolean {
  return trackingStatus === "active" || trackingStatus === "inactive";
}
