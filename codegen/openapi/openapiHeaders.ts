/** Headers of answers that the document describes, by name. */
export const headers = {
  "Retry-After": {
    description: "When to call again, seconds from now.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": {
    description: "How to prove who is calling.",
    required: true,
    schema: { type: "string", minLength: 1 },
  },
  "X-Request-Id": {
    description: "Names the request. Errors repeat it as requestId.",
    required: true,
    schema: { type: "string", pattern: "^req_[0-9a-z]+$" },
  },
};

/** References to some of them, as the headers of an answer. */
export function headerReferences(...names: readonly (keyof typeof headers)[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
