/**
 * Headers of answers that the document describes, by name. X-Request-Id, which every answer has, stands in the text at its beginning only: 229
 * references to it had 17 kB.
 */
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
};
