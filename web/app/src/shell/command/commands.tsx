import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { session } from "../../api/session.ts";
import { loadSettingsTexts } from "../../texts/settings/settingsTexts.ts";
import { opensCommands } from "./commandKeys.ts";
import { closeCommands, isCommandsOpen } from "./commandState.ts";

/** Listens for the keys of the command menu and shows it. Its code is loaded when it is opened first. */
export function Commands() {
  const loaded = useSignal<ComponentType | undefined>(undefined);
  const isSignedIn = session.value !== undefined;
  useEffect(() => {
    if (!isSignedIn) return;
    const onKey = (event: KeyboardEvent): void => {
      if (!opensCommands(event)) return;
      event.preventDefault();
      isCommandsOpen.value = !isCommandsOpen.value;
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isSignedIn]);
  const isWanted = isCommandsOpen.value && isSignedIn;
  useEffect(() => {
    if (!isWanted || loaded.value !== undefined) return;
    Promise.all([import("./commandMenu.tsx"), loadSettingsTexts()]).then(([{ CommandMenu }]) => {
      loaded.value = CommandMenu;
    }, closeCommands);
  }, [isWanted, loaded]);
  const Loaded = loaded.value;
  return isWanted && Loaded !== undefined ? <Loaded /> : null;
}
