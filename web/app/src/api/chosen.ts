/** What a person chose in a form, as one of the contract's values. The choices of forms are those of the contract. */
export function chosen<T extends string>(value: string): T {
  return value as T;
}

/** The same of several choices. */
export function allChosen<T extends string>(values: readonly string[]): T[] {
  return values.map((value) => value as T);
}
