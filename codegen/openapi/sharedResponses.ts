import type { JsonSchema } from "./openapiRules.ts";

/** What an error's answer is called in components, by status. */
const names: Readonly<Record<string, string>> = {
  "400": "BadRequest",
  "401": "Unauthorized",
  "403": "Forbidden",
  "404": "NotFound",
  "409": "Conflict",
  "410": "Gone",
  "429": "TooManyRequests",
  default: "Failure",
};

/** The answers of errors are the same for many operations, so each is kept once. Without it the document is a quarter larger. */
export class SharedResponses {
  readonly components: Record<string, JsonSchema> = {};
  readonly #references = new Map<string, string>();

  /** The same operation with references to the answers of errors. */
  share(operation: JsonSchema): JsonSchema {
    const responses = Object.entries(operation["responses"] ?? {}).map(([status, response]) => {
      const name = names[status];
      return [status, name === undefined ? response : this.#reference(name, response)];
    });
    return { ...operation, responses: Object.fromEntries(responses) };
  }

  #reference(name: string, response: JsonSchema): JsonSchema {
    const text = JSON.stringify({ name, response });
    const alike = [...this.#references.values()].filter((known) => known.replace(/_\d+$/, "") === name);
    const own = this.#references.get(text) ?? (alike.length === 0 ? name : `${name}_${alike.length + 1}`);
    this.#references.set(text, own);
    this.components[own] = response;
    return { $ref: `#/components/responses/${own}` };
  }
}
