/**
 * Why a parameter cannot be answered although its query is right, such as that it asks for more than one answer may hold. The message is
 * for the caller and says what to change; only that parameter fails.
 */
export class AnswerRefusal extends Error {
  override name = "AnswerRefusal";
}
