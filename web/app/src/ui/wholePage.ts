import { signal } from "@preact/signals";

/** Whether parts that are far from the window are wanted too, as when the page is printed. */
export const wantsWholePage = signal(false);

/** Maximum wait for panels to load before printing. */
const mostWaitMs = 15_000;
const stepMs = 100;

/** What stands where an answer is on its way. */
const waiting = "main :is(.waiting, .waiting-rows, .panel-later)";

/**
 * Has the whole page loaded before it is printed. Browsers do not wait for what is loaded when they print, so the keys for it are answered here. From
 * their menu they print at once: then the parts are loaded for the next time. Returns what ends it.
 */
export function startWholePrints(): () => void {
  const end = new AbortController();
  const { signal } = end;
  addEventListener("beforeprint", () => (wantsWholePage.value = true), { signal });
  addEventListener(
    "keydown",
    (event) => {
      if (event.key.toLowerCase() !== "p" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      wantsWholePage.value = true;
      void whenLoaded(signal).then(() => {
        if (!signal.aborted) print();
      });
    },
    { signal },
  );
  return () => {
    end.abort();
    wantsWholePage.value = false;
  };
}

async function whenLoaded(signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + mostWaitMs;
  do await new Promise((resolve) => setTimeout(resolve, stepMs));
  while (!signal.aborted && document.querySelector(waiting) !== null && performance.now() < untilMs);
}
