import { options, type VNode } from "preact";

/**
 * Invisible characters that change how others are shown: controls, and those that change the direction of text (UAX #9, section
 * 2). Visitors, senders of events and foreign servers choose texts that the app shows. Tabs and line ends stay.
 */
const hidden = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** The text with each of these characters shown as its code, such as [U+202E]. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `[U+${code}]`;
  });
}

/** Attributes whose text is shown or read out. The value of a field stays unchanged, since it may be saved again. */
const shownAttributes = ["title", "aria-label", "alt"] as const;

/** Makes every element of every page show its text that way. Call it before anything is rendered. */
export function startVisibleControls(): void {
  const before = options.vnode;
  options.vnode = (node) => {
    if (typeof node.type === "string") makeVisible(node);
    before?.(node);
  };
}

function makeVisible({ props }: VNode): void {
  // The object belongs to this element alone.
  const shown = props as Record<string, unknown>;
  shown["children"] = visibleChildren(shown["children"]);
  for (const name of shownAttributes) if (typeof shown[name] === "string") shown[name] = visibleText(shown[name]);
}

function visibleChildren(children: unknown): unknown {
  if (typeof children === "string") return visibleText(children);
  return Array.isArray(children) ? children.map(visibleChildren) : children;
}
