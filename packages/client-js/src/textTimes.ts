/** A time of a request: a Date, or its text (ISO 8601, or a day as YYYY-MM-DD where the API takes days). */
export type TextTime = string | Date;

/** A request with each Date as its text, which is what is sent. Objects of other classes, such as bytes, stay as they are. */
export function withTextTimes(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(withTextTimes);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTextTimes(member)]));
}

/** Whether a value is an object without a class: bytes, signals and the like are none. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
