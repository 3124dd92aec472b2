/** A path of google.api.http: `{name}` stands for one segment. */
export type PathTemplate = { readonly pattern: RegExp; readonly variables: readonly string[] };

/** Compiles "/v1/exports/{export_id}" (google/api/http.proto, path template syntax; only single-segment variables are used here). */
export function compilePathTemplate(path: string): PathTemplate {
  const variables: string[] = [];
  const source = path
    .split(/(\{[^}]*\})/)
    .map((part) => {
      const name = /^\{([a-z0-9_]+)\}$/.exec(part)?.[1];
      if (name === undefined) {
        if (/[{}*]/.test(part)) throw new Error(`${path}: only {name} is supported in a path`);
        return part.replace(/[.+?^$()|[\]\\]/g, "\\$&");
      }
      variables.push(name);
      return "([^/]+)";
    })
    .join("");
  return { pattern: new RegExp(`^${source}$`), variables };
}
