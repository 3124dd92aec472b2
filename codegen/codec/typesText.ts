import type { DescField, DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import { commentOf, docComment } from "../comments.ts";
import type { Contract } from "../contract.ts";

/** The contract between codecs.js and the gateway, as its users read it. */
const codecsHead = `import type { MessageInitShape } from "@bufbuild/protobuf";

/**
 * A broken rule of the contract. \`field\` is the path with JSON names, \`rule\` protovalidate's rule id, \`allowed\` the values of an
 * \`in\` rule and \`value\` what was sent instead, so that a suggestion can be made.
 */
export type Violation = { field: string; message: string; rule: string; value?: unknown; allowed?: readonly string[] };

/**
 * Reads, validates and writes one message. A gateway uses it like this.
 *
 * A request is one JSON object: it puts the values of the path and of the query string under their field names (text turned to
 * numbers and booleans by the kind of the field; what cannot be turned stays text and is refused by \`parse\`), and the body under
 * the name of the body's field, or merges it when the body is \`*\`. It calls \`parse\` once, and takes the name of the body's field
 * off the paths of violations (\`query.limit\` is \`limit\` to the caller, \`queries[0].limit\` is \`[0].limit\`).
 *
 * In a call with each_item the request's codec validates the list named by the body only as a list (max_items) and leaves its items
 * as they came: raw JSON after \`parse\`, messages in \`check\`. The gateway then validates each item with the item's codec and an array
 * of violations of its own, whose paths start at the item (\`payload.path\`).
 *
 * An answer is \`write\`(message). With a response_body or array_response it is the JSON text of \`object\`(message)[JSON name of
 * that field]; other fields cost nothing there when they are unset.
 */
export type Codec<Shape, Init> = {
  /**
   * Reads a value from JSON.parse and validates it by every rule in the same pass. Adds all violations, with JSON paths, to
   * \`violations\`, and returns undefined exactly when it added some. The message has its $typeName and all defaults; members of a
   * Struct are the object that was given, not a copy. After a hundred faults in one list the rest of that list is not read.
   */
  parse(json: unknown, violations: Violation[]): Shape | undefined;
  /** Validates a complete message from another source than JSON by the same rules, with the same paths. */
  check(message: Shape, violations: Violation[]): void;
  /** The JSON text of a message, which may leave out fields as in \`create\`. */
  write(message: Init): string;
  /** The same as a plain object for JSON.stringify: members that are undefined are not written. */
  object(message: Init): Record<string, unknown>;
};
`;

/** The text of codecs.d.ts. */
export function codecTypesText(contract: Contract): string {
  const entries = contract.messages.map((message) => {
    const raw = contract.eachItem.get(message.typeName);
    const shape =
      raw === undefined ? message.name : `Omit<${message.name}, "${raw.localName}"> & { ${raw.localName}: unknown[] }`;
    return `  readonly "${message.typeName}": Codec<${shape}, MessageInitShape<typeof ${message.name}Schema>>;`;
  });
  const names = (message: DescMessage) => [message.name, `${message.name}Schema`];
  return [imports(contract.messages, names), codecsHead, "export declare const codecs: {", ...entries, "};", ""].join(
    "\n",
  );
}

/** Types at the head of services.ts. */
const servicesHead = `/** A call that is answered with one message. */
export type Unary<Request, Reply> = { readonly kind: "unary"; readonly request: Request; readonly reply: Reply };

/** A call that is answered with a stream of messages. */
export type ServerStream<Request, Reply> = { readonly kind: "stream"; readonly request: Request; readonly reply: Reply };
`;

/** The head of services.ts where lists are validated item by item. */
const validatedHead = `/**
 * An item of a list whose items are validated one by one (gateway.v1.method.each_item). \`value\` is undefined when it broke a rule;
 * \`raw\` is what was sent: JSON over HTTP, the message over gRPC.
 */
export type ValidatedItem<T> = {
  readonly value: T | undefined;
  readonly violations: readonly Violation[];
  readonly raw: unknown;
};
`;

/** The text of services.ts: the parameters and results of each service's calls. */
export function servicesText(contract: Contract): string {
  const methods = contract.services.flatMap((service) => service.methods);
  const shapes = new Set(
    methods.map((method) => contract.eachItem.get(method.input.typeName)?.message?.typeName ?? ""),
  );
  const inputs = new Set(methods.map((method) => method.input.typeName));
  const names = (message: DescMessage) => [
    ...(inputs.has(message.typeName) || shapes.has(message.typeName) ? [message.name] : []),
    ...(inputs.has(message.typeName) ? [] : [`${message.name}Schema`]),
  ];
  return [
    'import type { MessageInitShape } from "@bufbuild/protobuf";',
    ...(contract.eachItem.size > 0 ? ['import type { Violation } from "./codecs.js";'] : []),
    imports(contract.messages, names),
    ...contract.services.map((service) => `import { ${service.name} } from "${moduleOf(service)}";`),
    "",
    servicesHead,
    ...(contract.eachItem.size > 0 ? [validatedHead] : []),
    ...contract.messages.flatMap((message) => validatedText(message, contract.eachItem.get(message.typeName))),
    ...contract.messages.filter((message) => !inputs.has(message.typeName)).flatMap(initText),
    ...contract.services.flatMap((service) => serviceText(service, contract)),
    "/** The calls of every service, by its full name. */",
    "export type Calls = {",
    ...contract.services.map((service) => `  "${service.typeName}": ${callsName(service)};`),
    "};",
    "",
    "/** Every service. */",
    `export const services = [${contract.services.map((service) => service.name).join(", ")}] as const;`,
    "",
  ].join("\n");
}

function validatedText(message: DescMessage, list: DescField | undefined): readonly string[] {
  if (list === undefined) return [];
  const item = `ValidatedItem<${list.message?.name}>`;
  return [
    `/** A ${message.name} whose ${list.localName} were validated one by one. */`,
    `export type Validated${message.name} = Omit<${message.name}, "${list.localName}"> & { ${list.localName}: ${item}[] };`,
    "",
  ];
}

function serviceText(service: DescService, contract: Contract): readonly string[] {
  return [
    `${docComment(commentOf(service), "")}export type ${callsName(service)} = {`,
    ...service.methods.map((method) => `${docComment(commentOf(method), "  ")}  ${methodText(method, contract)}`),
    "};",
    "",
  ];
}

function methodText(method: DescMethod, contract: Contract): string {
  const request = contract.eachItem.has(method.input.typeName) ? `Validated${method.input.name}` : method.input.name;
  const kind = method.methodKind === "unary" ? "Unary" : "ServerStream";
  return `${method.localName}: ${kind}<${request}, ${initName(method.output)}>;`;
}

/** The type of what is given to make a message. */
function initText(message: DescMessage): readonly string[] {
  return [`export type ${initName(message)} = MessageInitShape<typeof ${message.name}Schema>;`, ""];
}

/** What a handler returns for a response is called a reply. */
function initName({ name }: DescMessage): string {
  return name.endsWith("Response") ? name.replace(/Response$/, "Reply") : `${name}Init`;
}

function callsName(service: DescService): string {
  return `${service.name.replace(/Service$/, "")}Calls`;
}

/** Type imports of the names that `namesOf` gives for each message, one statement a proto file. */
function imports(messages: readonly DescMessage[], namesOf: (message: DescMessage) => readonly string[]): string {
  const used = messages.filter((message) => namesOf(message).length > 0);
  const byModule = [...Map.groupBy(used, moduleOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = byModule.map(([module, of]) => [module, of.flatMap(namesOf).sort().join(", ")]);
  return lines.map(([module, names]) => `import type { ${names} } from "${module}";`).join("\n");
}

/** Path of a generated protobuf-es module as seen from src/gen/lookout. */
function moduleOf(desc: DescMessage | DescService): string {
  return desc.file.name.startsWith("lookout/")
    ? `./${desc.file.name.slice("lookout/".length)}_pb.ts`
    : `../${desc.file.name}_pb.ts`;
}
