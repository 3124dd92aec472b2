import { LookoutError } from "./lookoutError.ts";

/** A time of a request: a Date, or its text (ISO 8601, or a day as YYYY-MM-DD where the API takes days). */
export type TextTime = string | Date;

/**
 * A request with each Date as its text, which is what is sent. Objects of other classes, such as bytes, stay as they are. Throws a
 * VALIDATION_ERROR that names the field of a Date that is none. `path` is where the value stands in the request.
 */
export function withTextTimes(value: unknown, path = ""): unknown {
  if (value instanceof Date) return textOf(value, path);
  if (Array.isArray(value)) return value.map((item, index) => withTextTimes(item, `${path}[${index}]`));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      withTextTimes(member, path === "" ? name : `${path}.${name}`),
    ]),
  );
}

function textOf(time: Date, field: string): string {
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  const message = "is an invalid Date";
  throw new LookoutError("VALIDATION_ERROR", `${field} ${message}`, { details: [{ field, message }] });
}

/** Whether a value is an object without a class: bytes, signals and the like are none. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
