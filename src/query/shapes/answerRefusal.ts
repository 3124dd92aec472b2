import type { ErrorDetail } from "../../errors/errors.ts";

/**
 * Why a parameter cannot be answered although its query is valid, for example because it needs more rows than one
 * answer may hold. The message tells the caller what to change; only that parameter fails.
 */
export class AnswerRefusal extends Error {
  override name = "AnswerRefusal";

  /** What it is about, where that has a name. */
  readonly detail: ErrorDetail | undefined;

  constructor(message: string, detail?: ErrorDetail) {
    super(message);
    this.detail = detail;
  }
}
