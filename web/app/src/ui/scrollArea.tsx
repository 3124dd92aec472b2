import type { ComponentChildren } from "preact";

type ScrollAreaProps = {
  readonly class: string;
  readonly label: string;
  readonly children: ComponentChildren;
};

/** What may be wider or higher than its place. The focus can be in it, so that it is scrolled by the keyboard too. */
export function ScrollArea({ class: look, label, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people who use the keyboard have to scroll it.
    <section class={look} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
