/**
 * Validates the payloads of signals and updates. An operator can send anything from the Temporal UI, and a handler that
 * throws makes the workflow's tasks fail forever. Pure, since workflows replay it.
 */

/** The expected form of a payload. */
export type Shape<T> = {
  /** Why a value does not fit, for operators; undefined when it does. */
  readonly problemOf: (value: unknown) => string | undefined;
  /** Only carries the type; no value is ever set. */
  readonly type?: T;
};

export type ReadPayload<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** Replaces a payload that could not be decoded, see payloadConverter.ts. */
export class UnreadablePayload {}

/** A whole number from `least` to `most`. */
export function wholeNumber(least: number, most: number): Shape<number> {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return {
    problemOf: (value) => (fits(value) ? undefined : mismatch(`a whole number from ${least} to ${most}`, value)),
  };
}

/** An object with exactly these members. */
export function object<T extends Readonly<Record<string, unknown>>>(
  members: {
    readonly [Name in keyof T]: Shape<T[Name]>;
  },
): Shape<T> {
  const expected = `an object with ${Object.keys(members).join(", ")}`;
  const problemOf = (value: unknown): string | undefined => {
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof UnreadablePayload)
      return mismatch(expected, value);
    if (Object.keys(value).some((name) => !Object.hasOwn(members, name))) return `it must be ${expected} and no more`;
    for (const [name, shape] of Object.entries<Shape<unknown>>(members)) {
      const problem = shape.problemOf(Reflect.get(value, name));
      if (problem !== undefined) return problem.replace(/^it\b/, name);
    }
    return undefined;
  };
  return { problemOf };
}

/** Reads the arguments of a signal or update that takes one payload. More than one argument is an error. */
export function readPayload<T>(args: readonly unknown[], shape: Shape<T>): ReadPayload<T> {
  if (args.length > 1) return { problem: `it must be one payload, not ${args.length}` };
  const problem = shape.problemOf(args[0]);
  // Shape<T> accepts nothing but a T.
  return problem === undefined ? { value: args[0] as T } : { problem };
}

/** Checks the arguments of a signal or update that takes none: undefined, or what is wrong. */
export function unexpectedPayload(args: readonly unknown[]): string | undefined {
  return args.length === 0 ? undefined : "it takes no payload";
}

/** The line in a workflow's details that informs operators of an ignored signal. */
export function ignoredSignal(name: string, problem: string, timeMs: number): string {
  return `Ignored the signal \`${name}\` of ${new Date(timeMs).toISOString()}: ${problem}.`;
}

/** Names only the kind of value: the value itself may be huge. */
function mismatch(expected: string, value: unknown): string {
  return `it must be ${expected}, not ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "empty";
  if (value === null) return "null";
  if (value instanceof UnreadablePayload) return "a payload that cannot be decoded";
  if (Array.isArray(value)) return "a list";
  return typeof value === "number" ? String(value) : (nameOfKind[typeof value] ?? typeof value);
}

const nameOfKind: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  object: "an object",
};
