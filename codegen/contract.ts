import type { DescField, DescMessage, DescService } from "@bufbuild/protobuf";
import { getOption, ScalarType } from "@bufbuild/protobuf";
import {
  field as fieldJson,
  message as messageJson,
  method as methodJson,
  oneof as oneofJson,
} from "../src/gen/gateway/v1/json_pb.ts";
import { http } from "../src/gen/google/api/annotations_pb.ts";

/**
 * The messages that code is generated for. `eachItem` holds, by request type name, the list whose items are validated one by one; `strict`
 * all messages in requests, except those of lenient calls (gateway.v1.method).
 */
export type Contract = {
  readonly services: readonly DescService[];
  readonly messages: readonly DescMessage[];
  readonly eachItem: ReadonlyMap<string, DescField>;
  readonly strict: ReadonlySet<DescMessage>;
};

/** Well-known types that have a JSON form here; a Struct field holds a plain JSON object, the others a message. */
export const structType = "google.protobuf.Struct";
export const valueType = "google.protobuf.Value";
export const listValueType = "google.protobuf.ListValue";

const bigIntegers = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

/** Whether a message is read and written without code of its own. */
export function isWellKnown(message: DescMessage): boolean {
  return message.typeName.startsWith("google.protobuf.");
}

/** `lookout.v1.Query` as part of a JavaScript name: `Query`; other packages keep theirs. */
export function identifier(message: DescMessage): string {
  return message.typeName.replace(/^lookout\.v1\./, "").replaceAll(".", "_");
}

/** Whether an unset field differs from its zero value. Lists and maps have no presence. */
export function hasPresence(field: DescField): boolean {
  return field.fieldKind !== "list" && field.fieldKind !== "map" && field.presence !== 2;
}

/** The names under which a field is read: its JSON name, its proto name, its aliases. */
export function namesOf(field: DescField): readonly string[] {
  return [...new Set([field.jsonName, field.name, ...getOption(field, fieldJson).aliases])];
}

/** Collects the services and every message they use, and adds whatever has no JSON form to `problems`. */
export function readContract(services: readonly DescService[], problems: string[]): Contract {
  const messages = new Map<string, DescMessage>();
  const reach = (message: DescMessage, path: readonly string[]): void => {
    if (path.includes(message.typeName)) {
      problems.push(`${message} contains itself: recursion has no compiled form`);
      return;
    }
    if (isWellKnown(message) || messages.has(message.typeName)) return;
    for (const field of message.fields) {
      if (field.message !== undefined) reach(field.message, [...path, message.typeName]);
    }
    messages.set(message.typeName, message);
    findProblems(message, problems);
  };
  const eachItem = new Map<string, DescField>();
  const wholeRequests = new Set<string>();
  const sorted = services.toSorted((a, b) => (a.typeName < b.typeName ? -1 : 1));
  for (const service of sorted) {
    for (const method of service.methods) {
      reach(method.input, []);
      reach(method.output, []);
      if (method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming") {
        problems.push(`${method} streams its request: only unary and server-streaming calls have a handler type`);
      }
      if (!getOption(method, methodJson).eachItem) {
        wholeRequests.add(method.input.typeName);
        continue;
      }
      const body = getOption(method, http).body;
      const list = method.input.fields.find((field) => field.name === body);
      if (list?.fieldKind === "list" && list.listKind === "message") eachItem.set(method.input.typeName, list);
      else problems.push(`${method} has each_item, but its body is no list of messages`);
    }
  }
  for (const typeName of eachItem.keys()) {
    if (wholeRequests.has(typeName))
      problems.push(`${typeName} is the request of a method with each_item and of one without`);
  }
  return { services: sorted, messages: [...messages.values()], eachItem, strict: strictMessages(sorted, problems) };
}

function strictMessages(services: readonly DescService[], problems: string[]): ReadonlySet<DescMessage> {
  const methods = services.flatMap((service) => service.methods);
  const inputsOf = (isLenient: boolean) =>
    methods.filter((method) => getOption(method, methodJson).lenient === isLenient).map(({ input }) => input);
  const strict = reached(inputsOf(false));
  for (const message of reached(inputsOf(true)).intersection(strict))
    problems.push(`${message.typeName} is part of lenient requests and of others`);
  return strict;
}

/** The messages and all those that they contain, without well-known types. */
export function reached(messages: readonly DescMessage[]): Set<DescMessage> {
  const found = new Set<DescMessage>();
  const visit = (message: DescMessage): void => {
    if (isWellKnown(message) || found.has(message)) return;
    found.add(message);
    for (const field of message.fields) if (field.message !== undefined) visit(field.message);
  };
  messages.forEach(visit);
  return found;
}

function findProblems(message: DescMessage, problems: string[]): void {
  for (const field of message.fields) {
    if (field.scalar !== undefined && bigIntegers.has(field.scalar)) {
      problems.push(`${field} is a 64-bit integer, which JSON numbers cannot carry: use double`);
    }
    if (field.fieldKind === "map" && field.mapKey !== ScalarType.STRING)
      problems.push(`${field}: only string keys have a compiled form`);
    const type = field.message?.typeName ?? "";
    if (type.startsWith("google.protobuf.") && ![structType, valueType, listValueType].includes(type)) {
      problems.push(`${field}: ${type} has no compiled form`);
    }
    for (const name of namesOf(field)) {
      if (name in Object.prototype) problems.push(`${field}: every JSON object already has a member ${name}`);
    }
  }
  const shorthand = getOption(message, messageJson).shorthand;
  if (shorthand !== "" && message.fields.find((field) => field.name === shorthand)?.scalar !== ScalarType.STRING) {
    problems.push(`${message}: its shorthand ${shorthand} is no string field`);
  }
  for (const oneof of message.oneofs) {
    const json = getOption(oneof, oneofJson);
    if ((json.tag === "") !== (json.content === "")) problems.push(`${oneof}: tag and content belong together`);
    if (json.tag !== "" && oneof.fields.some((field) => field.fieldKind !== "message" || isWellKnown(field.message))) {
      problems.push(`${oneof}: the cases of a tagged oneof are messages`);
    }
    if (json.flat !== "" && !oneof.fields.some((field) => field.name === json.flat))
      problems.push(`${oneof} has no case ${json.flat}`);
  }
}
