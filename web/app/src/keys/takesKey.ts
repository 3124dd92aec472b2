type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey" | "isComposing">;

type Around = {
  readonly isOn: boolean;
  /** Whether a dialog or a menu is open. */
  readonly isBusy: boolean;
  /** Whether the focus is where keys mean something else. */
  readonly isTyping: boolean;
};

/** Whether a key is one for the page. The list of keys can be opened while they are turned off, since they are turned on there. */
export function takesKey(
  { key, ctrlKey, altKey, metaKey, isComposing }: Pressed,
  { isOn, isBusy, isTyping }: Around,
): boolean {
  if (isBusy || isTyping || ctrlKey || altKey || metaKey || isComposing) return false;
  return isOn || key === "?";
}

/** Elements that use letters or arrows themselves. Terms hide their meaning with Escape. */
const own = 'input, textarea, select, [contenteditable], [role="tab"], [role="slider"], .definition-term, .scroll-area';

export function isTyping(target: Pick<Element, "closest"> | null): boolean {
  return target !== null && target.closest(own) !== null;
}
