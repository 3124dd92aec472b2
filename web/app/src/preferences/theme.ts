import { signal } from "@preact/signals";
import { readStored, writeStored } from "./stored.ts";

export const themes = ["system", "light", "dark"] as const;

export type Theme = (typeof themes)[number];

/** The chosen theme. `system` follows the device. */
export const theme = signal<Theme>(themes.find((name) => name === readStored("theme")) ?? "system");

/** Counts changes of the colours on screen, for canvas drawings. */
export const colourChanges = signal(0);

export function chooseTheme(name: Theme): void {
  theme.value = name;
  writeStored("theme", name === "system" ? undefined : name);
  showTheme();
}

/** Call it once, before anything is drawn. */
export function startTheme(): void {
  showTheme();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => colourChanges.value++);
}

function showTheme(): void {
  if (theme.value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
  colourChanges.value++;
}
