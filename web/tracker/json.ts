/**
 * The value in JSON. Not JSON.stringify, which pages replace, or whose text they change by a `toJSON` of all arrays, texts or objects
 * (Prototype 1.6, MooTools 1.2). What has no form in JSON is null; undefined members are left out. A `toJSON` of a class counts, such as that of
 * dates.
 */
// biome-ignore lint/suspicious/noExplicitAny: it takes apart whatever a page passes as properties
export const toJson = (value: any): string =>
  Array.isArray(value)
    ? `[${value.map((item) => toJson(item))}]`
    : value && typeof value === "object"
      ? value.toJSON && value.toJSON !== ({} as typeof value).toJSON
        ? toJson(value.toJSON())
        : `{${Object.keys(value)
            .filter((name) => value[name] !== undefined)
            .map((name) => `${toJson(name)}:${toJson(value[name])}`)}}`
      : typeof value === "string"
        ? `"${value.replace(/["\\]|[^ -\uffff]/g, (char) => `\\u00${(256 + char.charCodeAt(0)).toString(16).slice(1)}`)}"`
        : `${value === !!value || Number.isFinite(value) ? value : null}`;

/** Properties as they are, without those that have no JSON because they hold themselves, as elements of a page do: their event is still sent. */
export const sendable = (properties: object | undefined): object | undefined => {
  try {
    toJson(properties);
    return properties;
  } catch (error) {
    console.error(error);
    return undefined;
  }
};
