export type JsonObject = { readonly [name: string]: unknown };

/** A JSON Schema of an object. */
export type ObjectSchema = {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
};

/** Calls an RPC by its service and name with the JSON of its request. */
export type CallRpc = (rpc: string, request: JsonObject) => Promise<JsonObject>;

/** Something that an assistant can ask for. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  /** Says when to use it and what comes back. */
  readonly description: string;
  readonly input: ObjectSchema;
  /** The schema of the answer: its own, or that of an operation of the OpenAPI document. */
  readonly output: ObjectSchema | { readonly answerOf: string };
  /** Set where it changes something: the scope that a key needs for it. */
  readonly scopeToChange?: string;
  /** What to do where the answer was cut. */
  readonly howToGetMore: string;
  /** What to try after an error, by its code. */
  readonly hints?: Readonly<Record<string, string>>;
  run(given: JsonObject, call: CallRpc): Promise<JsonObject>;
};

/** Inputs that several tools have. */
export const websiteId = { type: "string", description: "Id of a website, from list_websites." };

export const dateRange = {
  preset: {
    type: "string",
    description:
      "A range by name instead of dates: today, yesterday, last_7d, last_30d, this_month, last_month and others.",
  },
  startDate: { type: "string", description: "First day, YYYY-MM-DD. Without a preset." },
  endDate: { type: "string", description: "Last day, included, YYYY-MM-DD. Without a preset." },
  timezone: { type: "string", description: "IANA name of the time zone that days are of. The default value is UTC." },
};

const filterNames = [
  ...["eq", "ne", "contains", "not_contains", "starts_with", "ends_with", "matches", "in", "not_in"],
  ...["is_empty", "is_not_empty"],
];

export const filters = {
  type: "array",
  description:
    "Conditions that must all hold, such as {field: country, op: eq, value: DE}. Fields of events (path, title, event_name, properties.<key>) select events, all others select visits. A visit is whole: {field: utm_campaign} keeps all of its pages and events.",
  items: {
    type: "object",
    properties: {
      field: {
        type: "string",
        description:
          "Such as path, entry_page, referrer_group, utm_campaign, country, browser_name, device_type, properties.plan.",
      },
      op: { type: "string", enum: filterNames },
      value: {
        description:
          "A text, a number, or a list of them for in and not_in; none for is_empty. In matches * is any characters and ? one.",
      },
    },
    required: ["field", "op"],
  },
};

/** The members of `given` that are named and present. */
export function pick(given: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}
