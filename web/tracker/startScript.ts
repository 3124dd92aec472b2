import { createTracker, type Extension, type Tracker, type TrackerOptions } from "./index.ts";

type Call = [name: "track" | "view" | "stop", ...args: unknown[]];

declare global {
  interface Window {
    /** The tracker; before the script has run, `{ q: [] }` with calls that wait for it: `["track", "signup"]`. */
    lookout?: Partial<Tracker> & { q?: Call[] };
  }
}

/** Starts the tracker with the options in the attributes of the script tag and offers it as `window.lookout`. */
export function startScript(extension?: Extension): void {
  const script = document.currentScript as HTMLScriptElement;
  const early = window.lookout;
  // The tag stands twice in the page: one tracker is enough.
  if (early?.stop) return;
  const options: Record<string, string | boolean | undefined> = { apiUrl: new URL(script.src).origin };
  for (const [name, value] of Object.entries(script.dataset)) options[name] = value !== "false" && value;
  // Attributes are text: what is none of the values that an option knows counts as its default.
  const tracker = createTracker(options as unknown as TrackerOptions, extension);
  window.lookout = tracker;
  for (const [name, ...args] of early?.q ?? []) (tracker[name] as (...args: unknown[]) => void)(...args);
}
