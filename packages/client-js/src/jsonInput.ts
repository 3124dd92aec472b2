/**
 * A value of JSON in a request. Members that are undefined are left out. What only a run can know, such as a function in a member of an
 * interface, is a VALIDATION_ERROR before anything is sent.
 */
export type JsonInput = string | number | boolean | null | readonly JsonInput[] | JsonObjectInput;

/** An object of JSON in a request: an object literal, or a value of a type of your own, interfaces included. */
export type JsonObjectInput = { readonly [key: string]: JsonInput | undefined } | PlainObject;

/**
 * Interfaces have no index signature, so that the compiler does not compare their members with one. The members that must not be there are
 * those of functions, Dates, regular expressions, promises, and of arrays, Maps, Sets and others that can be iterated.
 */
type PlainObject = object & {
  readonly apply?: never;
  readonly getTime?: never;
  readonly exec?: never;
  readonly then?: never;
  readonly [Symbol.iterator]?: never;
};

/** What a filter or a condition compares with. */
export type FilterValue = string | number | readonly (string | number)[];
