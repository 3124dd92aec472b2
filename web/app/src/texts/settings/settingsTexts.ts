import { signal } from "@preact/signals";
import { languages } from "../languages.ts";
import { language, type Texts, t } from "../texts.ts";
import type { SettingsTexts } from "./en.ts";

/** The texts of the first view and those that are loaded with the pages that show them. */
export type AllTexts = Texts & SettingsTexts;

const current = signal<SettingsTexts | undefined>(undefined);

let isFollowing = false;

/** Loads the texts of settings, and from then on those of each language that is chosen. Call it before what shows them. */
export async function loadSettingsTexts(): Promise<void> {
  await show();
  if (isFollowing) return;
  isFollowing = true;
  language.subscribe(() => void show());
}

/** All texts of the language on screen, on pages whose entry says `texts: "settings"`. */
export function allTexts(): AllTexts {
  if (current.value === undefined) throw new Error("the texts of settings are not loaded yet");
  const first = t();
  const { uptime, statusPages, ...more } = current.value;
  return {
    ...first,
    ...more,
    uptime: { ...first.uptime, ...uptime },
    statusPages: { ...first.statusPages, ...statusPages },
  };
}

async function show(): Promise<void> {
  const name = language.peek();
  const { texts } = await languages[name].settingsTexts();
  // Another language was chosen meanwhile: whoever waits for the texts draws with them.
  if (language.peek() !== name) return await show();
  current.value = texts;
}
