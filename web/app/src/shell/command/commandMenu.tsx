import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { websites as websitesState } from "../../api/websites.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { lastWebsite } from "../lastWebsite.ts";
import { shownWebsite } from "../shownWebsite.ts";
import type { Command } from "./command.ts";
import { CommandList } from "./commandList.tsx";
import { closeCommands } from "./commandState.ts";
import { listCommands } from "./listCommands.ts";
import { firstCommands, matchCommands } from "./matchCommands.ts";
import { recentCommands, rememberCommand } from "./recentCommands.ts";
import { useFoundObjects } from "./useFoundObjects.ts";
import "../../styles/commands.css";

/** A search over websites, pages, segments, monitors, links, settings and actions: a combobox whose list is always open. */
export function CommandMenu() {
  const { commands: texts } = allTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const text = useSignal("");
  const chosen = useSignal(0);
  const recent = useSignal(recentCommands());
  const all = useCommands(text.value.trim() !== "");
  const shown = text.value.trim() === "" ? firstCommands(all, recent.value) : matchCommands(all, text.value);
  const index = Math.min(chosen.value, shown.length - 1);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    rememberCommand(command.id);
    closeCommands();
    command.run();
  };
  const move = (to: number): void => {
    chosen.value = (to + shown.length) % Math.max(1, shown.length);
  };
  const onKey = (event: KeyboardEvent): void => {
    const target = movesTo(event.key, index, shown.length);
    if (event.isComposing || (target === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (target === undefined) run(shown[index]);
    else move(target);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={dialog}
      class="commands"
      aria-label={texts.title}
      onClose={closeCommands}
      onClick={(event) => {
        if (event.target === dialog.current) closeCommands();
      }}
    >
      <input
        class="commands-input"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length === 0 ? undefined : `${id}-${index}`}
        aria-label={texts.title}
        placeholder={texts.placeholder}
        autoComplete="off"
        spellcheck={false}
        onKeyDown={onKey}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          chosen.value = 0;
        }}
      />
      <CommandList id={id} commands={shown} index={index} onChoose={run} />
      <p class="commands-none" role="status">
        {shown.length === 0 ? texts.none : ""}
      </p>
    </dialog>
  );
}

function useCommands(isSearched: boolean): readonly Command[] {
  const state = websitesState.value;
  const websites = state.kind === "loaded" ? state.websites : [];
  const currentId = shownWebsite.value ?? lastWebsite.value;
  const current = websites.find(({ id }) => id === currentId);
  // The current website's monitors come first.
  const ordered = current === undefined ? websites : [current, ...websites.filter((other) => other !== current)];
  return [...listCommands(websites, current), ...useFoundObjects(ordered, current, isSearched)];
}

/** The place in the list that a key moves to; undefined for other keys. */
function movesTo(key: string, index: number, count: number): number | undefined {
  if (key === "ArrowDown") return index + 1;
  if (key === "ArrowUp") return index - 1;
  if (key === "PageDown") return Math.min(index + 8, count - 1);
  return key === "PageUp" ? Math.max(index - 8, 0) : undefined;
}
