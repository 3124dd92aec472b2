import { ApiError, type ErrorCode, type ErrorDetail, validationError } from "./errors.ts";

type ProblemCode = "VALIDATION_ERROR" | "INVALID_DATE_PRESET";

/** More would only bury the first ones; a batch can have thousands of wrong parameters. */
const maxDetails = 50;

/** Collects the problems of a request, so that one answer reports all of them. */
export class Problems {
  readonly #details: ErrorDetail[] = [];
  readonly #codes = new Set<ProblemCode>();

  /** Reports a problem once, even if many parameters have it. */
  add(detail: ErrorDetail, code: ProblemCode = "VALIDATION_ERROR"): undefined {
    this.#codes.add(code);
    const isKnown = this.#details.some(({ field, message }) => field === detail.field && message === detail.message);
    if (!isKnown && this.#details.length < maxDetails) this.#details.push(detail);
  }

  /** Whether no more problems are collected, so that further checks are useless. */
  get isFull(): boolean {
    return this.#details.length >= maxDetails;
  }

  /** Throws an error of one code if there is any problem. */
  throwIfAnyAs(code: ErrorCode): void {
    const [first] = this.#details;
    if (first !== undefined) throw new ApiError(code, `${first.field} ${first.message}`, { details: this.#details });
  }

  /** Throws INVALID_DATE_PRESET when only presets are wrong, else VALIDATION_ERROR; nothing without problems. */
  throwIfAny(): void {
    const [first] = this.#details;
    if (first === undefined) return;
    if (this.#codes.has("VALIDATION_ERROR")) throw validationError(this.#details);
    throw new ApiError("INVALID_DATE_PRESET", `${first.field} ${first.message}`, { details: this.#details });
  }
}

/** Text that was sent, for a message: quoted, and cut when it is longer than any valid value. */
export function quoted(text: string): string {
  return `"${text.length > 64 ? `${text.slice(0, 64)}…` : text}"`;
}

/** A detail with its suggestion, where there is one. */
export function detail(field: string, message: string, suggestion?: string): ErrorDetail {
  return { field, message, ...(suggestion === undefined ? {} : { suggestion }) };
}
