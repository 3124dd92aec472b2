/** Something is in the way of the local stack. The message says what, and what to do next. */
export class StackError extends Error {
  override name = "StackError";
}
