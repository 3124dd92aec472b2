import { type DescField, type DescService, getOption, ScalarType } from "@bufbuild/protobuf";
import { field as fieldRules } from "../../src/gen/buf/validate/validate_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { reached } from "../contract.ts";
import { type NamedValues, namedValues } from "./namedValues.ts";

/** A list of the only values that some fields of the contract can have, for the generators of all languages. */
export type ValueSet = {
  /** Name of the type in code, such as `LinkMetric`. Upper camel case, one thing of the kind. */
  readonly name: string;
  /** One or two sentences. */
  readonly comment: string;
  /** As they are on the wire, such as `uniqueVisitors`, in the contract's order. Later versions of the service may add some. */
  readonly values: readonly string[];
  /** The fields that have such a value, or a list of them: `<message>.<name in the proto>`, such as `Monitor.interval`. */
  readonly fields: readonly string[];
};

/** All sets, by name. Throws an Error that lists what does not fit: a restricted field without a set, a set of no field. */
export function valueSets(): readonly ValueSet[] {
  return setsOf(textFields(services), namedValues);
}

/** The sets that names give to fields. `allowed` of a field is what its validation rule allows, undefined without such a rule. */
export function setsOf(fields: readonly TextField[], names: readonly NamedValues[]): readonly ValueSet[] {
  const known = new Map(fields.map((field) => [field.name, field]));
  const problems = new Set<string>();
  const find = (name: string): TextField | undefined => {
    if (!known.has(name)) problems.add(`the contract has no text ${name}, which codegen/client/namedValues.ts names`);
    return known.get(name);
  };
  const sets = names.map(({ name, comment, values: source, alsoIn = [] }): ValueSet => {
    const values = typeof source === "string" ? (find(source)?.allowed ?? []) : source;
    if (values.length === 0) problems.add(`${name} has no values: the contract does not restrict ${source}`);
    for (const also of alsoIn) find(also);
    const same = fields.filter(({ allowed }) => allowed !== undefined && isSame(allowed, values));
    return { name, comment, values, fields: [...new Set([...same.map((field) => field.name), ...alsoIn])] };
  });
  for (const { name, allowed } of fields) {
    const owners = sets.filter((set) => set.fields.includes(name));
    if (owners.length > 1) problems.add(`${name} is in ${owners.map((set) => set.name).join(" and ")}`);
    if (allowed !== undefined && owners.length === 0)
      problems.add(`${name} allows ${allowed.join(", ")} only: name this list in codegen/client/namedValues.ts`);
  }
  if (problems.size > 0) throw new Error(`Names of values:\n${[...problems].map((one) => `  ${one}`).join("\n")}`);
  return sets.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A field of the contract that holds a text or a list of texts. */
export type TextField = { readonly name: string; readonly allowed: readonly string[] | undefined };

function textFields(services: readonly DescService[]): readonly TextField[] {
  const methods = services.flatMap((service) => service.methods);
  const messages = reached(methods.flatMap(({ input, output }) => [input, output]));
  return [...messages].flatMap((message) =>
    message.fields
      .filter(({ scalar }) => scalar === ScalarType.STRING)
      .map((field) => ({ name: `${message.name}.${field.name}`, allowed: allowedValues(field) })),
  );
}

/** What the validation rule of a text, or of the items of a list, allows. */
function allowedValues(field: DescField): readonly string[] | undefined {
  const { type } = getOption(field, fieldRules);
  const rules = type.case === "repeated" ? type.value.items?.type : type;
  return rules?.case === "string" && rules.value.in.length > 0 ? rules.value.in : undefined;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
