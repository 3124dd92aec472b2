import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

type MenuProps = {
  /** The purpose of the button, if its text does not say it. */
  readonly label: string;
  /** The text on the button. */
  readonly button?: ComponentChildren;
  /** Whether the list is aligned with the end of the button. */
  readonly alignEnd?: boolean;
  /** Shows three dots instead of a text. */
  readonly isQuiet?: boolean;
  readonly onOpen?: () => void;
  readonly children: ComponentChildren;
};

/** A button that opens a list next to it. It closes with Escape, with a choice, and when the focus goes elsewhere. */
export function Menu({ label, button, alignEnd = false, isQuiet = false, onOpen, children }: MenuProps) {
  const isOpen = useSignal(false);
  const id = useId();
  const anchor = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen.value) return;
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && !anchor.current?.contains(event.target)) isOpen.value = false;
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
    };
  }, [isOpen.value, isOpen]);
  const close = (): void => {
    isOpen.value = false;
    opener.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles keys of the buttons in it.
    <div
      class="menu-anchor"
      ref={anchor}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isOpen.value) close();
      }}
    >
      <button
        ref={opener}
        type="button"
        class={isQuiet ? "button button-plain menu-dots" : "button"}
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value;
          if (isOpen.value) onOpen?.();
        }}
      >
        <span class="said">{isQuiet ? label : `${label}: `}</span>
        {isQuiet ? (
          <span aria-hidden="true">•••</span>
        ) : (
          <>
            <span class="menu-button-text">{button}</span>
            <span aria-hidden="true" class="menu-arrow" />
          </>
        )}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a choice is a click on one of the buttons in it. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons in it are clicked by keys too. */}
      <div
        id={id}
        class={alignEnd ? "menu menu-end" : "menu"}
        hidden={!isOpen.value}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest("[data-closes]")) close();
        }}
        // Closing the list removes a form in it, and a click comes before the form is sent. So the form's button must not close
        // it.
        onSubmit={close}
      >
        {isOpen.value && children}
      </div>
    </div>
  );
}

type MenuItemProps = {
  readonly isCurrent?: boolean;
  readonly lang?: string;
  /** Its name in the document. */
  readonly name?: string;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
};

/** A choice in a menu. */
export function MenuItem({ isCurrent = false, lang, name, onChoose, children }: MenuItemProps) {
  return (
    <button
      type="button"
      class="menu-item"
      data-closes
      data-tab={name}
      lang={lang}
      aria-current={isCurrent ? "true" : undefined}
      onClick={onChoose}
    >
      {children}
    </button>
  );
}

/** A link to another page in a menu. */
export function MenuLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  return (
    <a class="menu-item" data-closes href={href}>
      {children}
    </a>
  );
}
