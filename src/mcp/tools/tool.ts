import { presetNames } from "../../time/dates.ts";

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
  /** The schema of the answer. What lists hold is described in words: assistants read all of it before they begin. */
  readonly output: ObjectSchema;
  /** Set where it changes something: the scope that a key needs for it. */
  readonly scopeToChange?: string;
  /** What to do where the answer was cut. */
  readonly howToGetMore: string;
  /** Other names of arguments, which are those of the API. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** The arguments that fields of the RPC come from, by the names of the fields. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** What to try after an error, by its code. */
  readonly hints?: Readonly<Record<string, string>>;
  /** What to try after wrong arguments of these names. */
  readonly argumentHint?: { readonly names: readonly string[]; readonly text: string };
  /** Whether nothing of an answer was answered, so that it is an error. */
  readonly hasFailed?: (answer: JsonObject) => boolean;
  run(given: JsonObject, call: CallRpc): Promise<JsonObject>;
};

/** JSON Schemas of what inputs and outputs mostly are. */
export function text(description: string) {
  return { type: "string", description };
}

export function texts(description: string) {
  return { type: "array", items: { type: "string" }, description };
}

export function objects(description: string) {
  return { type: "array", items: { type: "object" }, description };
}

export function integer(minimum: number, maximum: number, description: string) {
  return { type: "integer", minimum, maximum, description };
}

/** Inputs that several tools have. */
export const websiteId = text("Id of a website, from list_websites.");

/** Presets by the names of the API, without their synonyms. */
export const toolPresets = presetNames.filter((name) => !/^last_?\d+_?days$|[A-Z]/.test(name));

export const dateRange = {
  preset: text(`A range by name: ${toolPresets.join(", ")}. last_7d is today and the six days before.`),
  startDate: {
    type: "string",
    format: "date",
    description: "Instead of a preset: first day (2026-01-31) or time (2026-01-31T09:30:00Z).",
  },
  endDate: { type: "string", format: "date", description: "Last day, included, or time, not included." },
  timezone: text("IANA zone of the days, such as the website's. Default: UTC."),
};

/** The names that some calls of the API have for the range. */
export const dateSynonyms = { dateFrom: "startDate", dateTo: "endDate", from: "startDate", to: "endDate" };

const filterNames = [
  ...["eq", "ne", "contains", "not_contains", "starts_with", "ends_with", "matches", "in", "not_in"],
  ...["is_empty", "is_not_empty"],
];

export const filters = {
  type: "array",
  description:
    "Conditions that must all hold, such as {field: country, op: eq, value: DE}. Fields of events (path, event_name, properties.<key>) select events, all others whole visits.",
  items: {
    type: "object",
    properties: {
      field: text(
        "path, entry_page, referrer_group, utm_campaign, country, browser_name, device_type, properties.plan …",
      ),
      op: { type: "string", enum: filterNames },
      value: {
        description: "A text, a number, or a list of them for in and not_in; none for is_empty. matches takes * and ?.",
      },
    },
    required: ["field", "op"],
  },
};

export const unknown = objects("Times whose events are unknown, not 0: {from, until, reason}.");

/** The members of `given` that are named and present. */
export function pick(given: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

/** The objects of a list; none of anything else. */
export function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value : [];
}

/** The members that are lists with items. */
export function nonEmpty(lists: Readonly<Record<string, readonly unknown[]>>): JsonObject {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}
