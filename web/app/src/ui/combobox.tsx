import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";

export type ComboboxOption = { readonly value: string; readonly name: string };

type ComboboxProps = {
  readonly label: string;
  readonly chosen: readonly ComboboxOption[];
  readonly options: readonly ComboboxOption[];
  readonly text: string;
  /** Whether several may be chosen. */
  readonly isMultiple: boolean;
  readonly isLoading: boolean;
  readonly autoFocus: boolean;
  readonly texts: {
    readonly placeholder: string;
    readonly remove: (name: string) => string;
    /** What is typed, as an option; undefined where only known values may be chosen. */
    readonly own: ((text: string) => string) | undefined;
    readonly none: string;
    readonly loading: string;
  };
  readonly onText: (text: string) => void;
  readonly onChange: (values: readonly string[]) => void;
  /** When the field loses the focus. */
  readonly onLeave?: () => void;
};

/**
 * A field for values with known ones to choose from, after the ARIA pattern of an editable combobox with a list: arrows move, Enter chooses, Escape closes
 * the list, backspace removes the last value. What is typed may be a value too, unless `texts.own` is undefined.
 */
export function Combobox(props: ComboboxProps) {
  const { label, chosen, options, text, isMultiple, isLoading, autoFocus, texts, onText, onChange, onLeave } = props;
  const id = useId();
  const isOpen = useSignal(false);
  const active = useSignal(-1);
  const input = useRef<HTMLInputElement>(null);
  const typed = text.trim();
  const isKnown = options.some(({ value, name }) => value === typed || name === typed);
  const { own } = texts;
  const shown =
    typed === "" || isKnown || own === undefined ? options : [...options, { value: typed, name: own(typed) }];
  const at = Math.min(active.value, shown.length - 1);
  const choose = (value: string): void => {
    onChange(isMultiple ? [...chosen.map((one) => one.value), value] : [value]);
    onText("");
    active.value = -1;
    isOpen.value = isMultiple;
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = chosen.at(-1);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const by = event.key === "ArrowDown" ? 1 : -1;
      isOpen.value = true;
      active.value = shown.length === 0 ? -1 : (Math.max(at, by === 1 ? -1 : 0) + by + shown.length) % shown.length;
    } else if (event.key === "Enter" && isOpen.value && (at >= 0 || typed !== "")) {
      // The first one is what the text finds.
      const option = shown[at] ?? shown[0];
      if (option !== undefined) choose(option.value);
    } else if (event.key === "Escape" && isOpen.value) isOpen.value = false;
    else if (event.key === "Backspace" && text === "" && last !== undefined)
      onChange(chosen.slice(0, -1).map((one) => one.value));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="combobox">
      <label for={id}>{label}</label>
      {chosen.length > 0 && (
        <ul class="combobox-chosen">
          {chosen.map(({ value, name }) => (
            <li key={value}>
              {name}
              <button
                type="button"
                class="combobox-remove"
                aria-label={texts.remove(name)}
                onClick={() => {
                  onChange(chosen.filter((one) => one.value !== value).map((one) => one.value));
                  input.current?.focus();
                }}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        id={id}
        class="input"
        type="text"
        role="combobox"
        // A dialog begins there.
        {...(autoFocus ? { autoFocus } : {})}
        autoComplete="off"
        spellcheck={false}
        aria-expanded={isOpen.value}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen.value && at >= 0 ? `${id}-${at}` : undefined}
        placeholder={texts.placeholder}
        value={text}
        onInput={(event) => {
          onText(event.currentTarget.value);
          active.value = -1;
          isOpen.value = true;
        }}
        onFocus={() => {
          isOpen.value = true;
        }}
        onBlur={() => {
          isOpen.value = false;
          onLeave?.();
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} class="combobox-list" role="listbox" aria-label={label} hidden={!isOpen.value}>
        {shown.map(({ value, name }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option.
          <div
            key={value}
            id={`${id}-${index}`}
            role="option"
            class="combobox-option"
            aria-selected={index === at}
            ref={(element) => {
              if (index === at) element?.scrollIntoView({ block: "nearest" });
            }}
            // The field would lose the focus, and the list would be gone before the click.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(value)}
          >
            {name}
          </div>
        ))}
      </div>
      <p class="field-hint" role="status">
        {isOpen.value && shown.length === 0 ? (isLoading ? texts.loading : texts.none) : ""}
      </p>
    </div>
  );
}
