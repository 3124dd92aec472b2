import type { JsonSchema } from "./openapiRules.ts";

/** Components of one kind that are the same for many operations, so that each is kept once. */
export class SharedComponents {
  readonly components: Record<string, JsonSchema> = {};
  readonly #kind: "examples" | "responses";

  constructor(kind: "examples" | "responses") {
    this.#kind = kind;
  }

  /** A reference to a component. It is called `name`, or `name_2` and so on where others of that name differ. */
  reference(name: string, component: JsonSchema): JsonSchema {
    const alike = Object.keys(this.components).filter((known) => known.replace(/_\d+$/, "") === name);
    const text = JSON.stringify(component);
    const known = alike.find((each) => JSON.stringify(this.components[each]) === text);
    const own = known ?? (alike.length === 0 ? name : `${name}_${alike.length + 1}`);
    this.components[own] = component;
    return { $ref: `#/components/${this.#kind}/${own}` };
  }
}

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

/** The same operation with references to the answers of errors. Without them the document is a quarter larger. */
export function shareResponses(operation: JsonSchema, shared: SharedComponents): JsonSchema {
  const responses = Object.entries(operation["responses"] ?? {}).map(([status, response]) => {
    const name = names[status];
    return [status, name === undefined ? response : shared.reference(name, response)];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}
