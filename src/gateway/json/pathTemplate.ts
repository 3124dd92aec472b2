/** A path of google.api.http: `{name}` matches one segment. */
export type PathTemplate = {
  readonly variables: readonly string[];
  /** The values of the variables in a path; undefined for a path that does not match. */
  match(path: string): readonly string[] | undefined;
};

/**
 * Compiles "/v1/exports/{export_id}" (google/api/http.proto, path template syntax; only single-segment variables are
 * used here).
 */
export function compilePathTemplate(path: string): PathTemplate {
  const variables: string[] = [];
  const parts = path.split(/(\{[^}]*\})/);
  const sources = parts.map((part) => {
    const name = /^\{([a-z0-9_]+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      if (/[{}*]/.test(part)) throw new Error(`${path}: only {name} is supported in a path`);
      return part.replace(/[.+?^$()|[\]\\]/g, "\\$&");
    }
    variables.push(name);
    return "([^/]+)";
  });
  const pattern = new RegExp(`^${sources.join("")}$`);
  return { variables, match: (text) => pattern.exec(text)?.slice(1) };
}
