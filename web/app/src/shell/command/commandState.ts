import { signal } from "@preact/signals";

/** Whether the command menu is open. */
export const isCommandsOpen = signal(false);

export function openCommands(): void {
  isCommandsOpen.value = true;
}

export function closeCommands(): void {
  isCommandsOpen.value = false;
}
