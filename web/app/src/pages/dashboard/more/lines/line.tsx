import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { wantsWholePage } from "../../../../ui/wholePage.ts";

type LineProps = {
  readonly id: string;
  readonly title: string;
  /** What the line says while it is closed. */
  readonly facts: ComponentChildren;
  /** At the end of the line. */
  readonly aside?: ComponentChildren;
  /** Whether the address asks for it: then it opens and comes on screen. */
  readonly isAsked?: boolean;
  /** What it opens. It is drawn, and asks its questions, when it is opened. */
  readonly children: ComponentChildren;
};

/** One line that says how a part of the website is, and opens it in place. */
export function Line({ id, title, facts, aside, isAsked = false, children }: LineProps) {
  const isOpen = useSignal(false);
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isAsked) return;
    isOpen.value = true;
    element.current?.scrollIntoView({ block: "start" });
  }, [isAsked, isOpen]);
  const shows = isOpen.value || wantsWholePage.value;
  return (
    <li class="line" data-line={id} ref={element}>
      <div class="line-head">
        <h2>
          <button
            type="button"
            class="line-open"
            aria-expanded={shows}
            aria-controls={`line-${id}`}
            aria-describedby={`facts-${id}`}
            onClick={() => {
              isOpen.value = !isOpen.value;
            }}
          >
            {title}
          </button>
        </h2>
        <p class="line-facts" id={`facts-${id}`}>
          {facts}
        </p>
        {aside}
        <span class="line-arrow" aria-hidden="true" />
      </div>
      <div class="line-body" id={`line-${id}`} hidden={!shows}>
        {shows && children}
      </div>
    </li>
  );
}
