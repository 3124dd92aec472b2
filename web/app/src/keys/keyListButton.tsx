import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../texts/texts.ts";
import { isKeyListOpen } from "./keys.ts";

/** Opens the list of keys, whose code is loaded then. */
export function KeyListButton() {
  const loaded = useSignal<ComponentType | undefined>(undefined);
  const isOpen = isKeyListOpen.value;
  useEffect(() => {
    if (!isOpen || loaded.peek() !== undefined) return;
    import("./keyList.tsx").then(
      (module) => {
        loaded.value = module.default;
      },
      () => {
        isKeyListOpen.value = false;
      },
    );
  }, [isOpen, loaded]);
  const List = loaded.value;
  return (
    <>
      <button
        type="button"
        class="link-button"
        aria-keyshortcuts="?"
        onClick={() => {
          isKeyListOpen.value = true;
        }}
      >
        {t().keys.title}
      </button>
      {isOpen && List !== undefined && <List />}
    </>
  );
}
