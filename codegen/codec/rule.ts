/**
 * A compiled rule: `broken` returns a JavaScript condition for the text of a value, `refusesZero` is whether "", 0 or
 * false breaks it, `rule` is protovalidate's rule id.
 */
export type Rule = {
  readonly broken: (value: string) => string;
  readonly message: string;
  readonly rule: string;
  readonly refusesZero: boolean;
  readonly allowed?: readonly string[];
};
