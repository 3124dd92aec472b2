/** Where the service has drawn the first view, it is shown before the app, which takes a slow device longer than the view, is run. */
const isDrawn = document.getElementById("app")?.firstElementChild !== null;

/** Windows in the background show no frame. */
const longestWaitMs = 500;

if (isDrawn) await firstFrame();
await import(/* @vite-ignore */ appAddress());

/** Where the app itself is. The service names it (src/gateway/http/pageHtml.ts): Vite would have this file load what it adds to imports first. */
function appAddress(): string {
  const { app = "" } = document.querySelector<HTMLElement>("script[data-app]")?.dataset ?? {};
  return new URL(app, document.baseURI).href;
}

/** Resolves once a frame is on screen. */
function firstFrame(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, longestWaitMs);
    // The callback is called before the frame is drawn, that of a timer after it.
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** The file awaits, so it is a module, which it would not be without imports or exports. */
export {};
