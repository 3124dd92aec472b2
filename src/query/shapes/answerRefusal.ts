/**
 * Why a parameter cannot be answered although its query is valid, for example because it needs more rows than one
 * answer may hold. The message tells the caller what to change; only that parameter fails.
 */
export class AnswerRefusal extends Error {
  override name = "AnswerRefusal";
}
