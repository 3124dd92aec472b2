/** HTML that was made with `html`, which alone makes it: a value gets onto a page only through that. */
class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type { Html };

type Value = string | number | Html | readonly Html[];

/**
 * A piece of HTML. Its values are escaped, except for other pieces; of a list, one follows the other. Line breaks of
 * the template, with the indentation after them, are left out.
 */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = unwrapped(template);
  return new Html(
    parts.map((part, index) => part + (index < values.length ? textOf(values[index] ?? "") : "")).join(""),
  );
}

/** A text with pieces of HTML in the place of its arguments. */
export function htmlText(text: (...args: string[]) => string, ...pieces: readonly Html[]): Html {
  // Characters for private use stand for the pieces, since no text of this service has them.
  const marks = pieces.map((_, index) => String.fromCharCode(0xe000 + index));
  const escaped = escapeHtml(text(...marks));
  return new Html(
    pieces.reduce((made, piece, index) => made.replaceAll(marks[index] ?? "", () => `${piece}`), escaped),
  );
}

/** Escapes a text for HTML and XML, for elements and for attributes in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function textOf(value: Value): string {
  if (typeof value === "string") return escapeHtml(value);
  return typeof value === "object" && !(value instanceof Html) ? value.join("") : String(value);
}

/** The parts of each template of the code, of which each is used many times. */
const partsOf = new WeakMap<TemplateStringsArray, readonly string[]>();

function unwrapped(template: TemplateStringsArray): readonly string[] {
  const known = partsOf.get(template);
  if (known !== undefined) return known;
  const parts = template.map((part) => part.replace(/\n\s*/g, ""));
  partsOf.set(template, parts);
  return parts;
}
