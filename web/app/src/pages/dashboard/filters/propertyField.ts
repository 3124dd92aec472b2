const prefix = "properties.";

/** The field of a filter on a property; without a key it is the choice of a property that is not named yet. */
export function propertyField(key: string): `properties.${string}` {
  return `${prefix}${key}`;
}

/** The key of the property that a filter is on: everything after the first dot. Undefined for other fields. */
export function propertyKeyOf(field: string): string | undefined {
  return field.startsWith(prefix) ? field.slice(prefix.length) : undefined;
}
