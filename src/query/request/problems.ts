import { ApiError, type ErrorCode, type ErrorDetail, validationError } from "../../errors.ts";

type ProblemCode = "VALIDATION_ERROR" | "INVALID_DATE_PRESET";

/** More would only hide the first ones; a batch can name thousands of wrong parameters. */
const maxDetails = 50;

/** Collects what is wrong with a request, so that one answer tells all of it. */
export class Problems {
  readonly #details: ErrorDetail[] = [];
  readonly #codes = new Set<ProblemCode>();

  /** Notes a problem once, however many parameters meet it. */
  add(detail: ErrorDetail, code: ProblemCode = "VALIDATION_ERROR"): undefined {
    this.#codes.add(code);
    const isKnown = this.#details.some(({ field, message }) => field === detail.field && message === detail.message);
    if (!isKnown && this.#details.length < maxDetails) this.#details.push(detail);
  }

  /** Whether no more is noted, so that looking for more would be in vain. */
  get isFull(): boolean {
    return this.#details.length >= maxDetails;
  }

  /** Throws an error of one code for whatever is wrong; nothing when nothing is. */
  throwIfAnyAs(code: ErrorCode): void {
    const [first] = this.#details;
    if (first !== undefined) throw new ApiError(code, `${first.field} ${first.message}`, { details: this.#details });
  }

  /** Throws INVALID_DATE_PRESET when presets are all that is wrong, else VALIDATION_ERROR; nothing when nothing is. */
  throwIfAny(): void {
    const [first] = this.#details;
    if (first === undefined) return;
    if (this.#codes.has("VALIDATION_ERROR")) throw validationError(this.#details);
    throw new ApiError("INVALID_DATE_PRESET", `${first.field} ${first.message}`, { details: this.#details });
  }
}

/** What was sent, for a message: quoted, and cut when it is longer than any valid value. */
export function quoted(text: string): string {
  return `"${text.length > 64 ? `${text.slice(0, 64)}…` : text}"`;
}

/** A detail with its suggestion, where there is one. */
export function detail(field: string, message: string, suggestion?: string): ErrorDetail {
  return { field, message, ...(suggestion === undefined ? {} : { suggestion }) };
}
