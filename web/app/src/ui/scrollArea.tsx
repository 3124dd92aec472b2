import type { ComponentChildren } from "preact";

type ScrollAreaProps = {
  readonly class: string;
  readonly label: string;
  readonly children: ComponentChildren;
};

/** Content that may be wider or higher than its place. It can have the focus, so that the keyboard can scroll it too. */
export function ScrollArea({ class: look, label, children }: ScrollAreaProps) {
  return (
    // A group and no landmark: the section around it is one, of the same name.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people who use the keyboard have to scroll it.
    // biome-ignore lint/a11y/useSemanticElements: it is no group of fields.
    <div class={look} role="group" tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}
