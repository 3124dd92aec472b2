import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

type SectionProps = {
  readonly title: string;
  readonly text?: ComponentChildren;
  /** Buttons next to the heading. */
  readonly tools?: ComponentChildren;
  /** Names it for tests and for links into the page. */
  readonly name: string;
  /** Whether what it does cannot be undone: it is edged in the colour of "bad". */
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
};

/** A part of a page with a heading of its own. */
export function Section({ title, text, tools, name, isBad = false, children }: SectionProps) {
  const id = useId();
  return (
    <section class={isBad ? "section section-bad" : "section"} aria-labelledby={id} data-section={name}>
      <div class="section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {text !== undefined && <p class="section-text">{text}</p>}
        </div>
        {tools}
      </div>
      <div class="section-body">{children}</div>
    </section>
  );
}
