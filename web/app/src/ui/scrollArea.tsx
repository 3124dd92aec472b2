import type { ComponentChildren } from "preact";

type ScrollAreaProps = {
  readonly class: string;
  readonly label: string;
  readonly children: ComponentChildren;
};

/** Content that may be wider or higher than its place. It can have the focus, so that the keyboard can scroll it too. */
export function ScrollArea({ class: look, label, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people who use the keyboard have to scroll it.
    <section class={look} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
