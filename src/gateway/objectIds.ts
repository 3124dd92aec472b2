import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { storedId } from "../text/uuid.ts";

/** Ids that callers make up, whose case matters. So is the id of a part of a request, such as one query of several. */
const madeByCallers = new Set(["anonymous_id"]);

type Rewrite = (message: object) => void;

/**
 * Brings the ids of objects in a request, such as website_id and monitor_ids, into the form in which they are stored. Undefined for
 * messages without any. Fields of a oneof hold none.
 */
export function idRewriter(message: DescMessage, isPart = false): Rewrite | undefined {
  const steps = message.fields.map((field) => stepOf(field, isPart)).filter((step) => step !== undefined);
  if (steps.length === 0) return undefined;
  return (request) => {
    for (const step of steps) step(request);
  };
}

function stepOf(field: DescField, isPart: boolean): Rewrite | undefined {
  if (field.oneof !== undefined || field.fieldKind === "map") return undefined;
  const { localName } = field;
  if (field.message === undefined) {
    const isText = field.fieldKind === "scalar" ? field.scalar : field.fieldKind === "list" ? field.scalar : undefined;
    if (isPart && field.name === "id") return undefined;
    if (isText !== ScalarType.STRING || !/(^|_)ids?$/.test(field.name) || madeByCallers.has(field.name))
      return undefined;
    return (request) => {
      const given: unknown = Reflect.get(request, localName);
      if (typeof given === "string") Reflect.set(request, localName, storedId(given));
      else if (Array.isArray(given)) Reflect.set(request, localName, given.map(storedId));
    };
  }
  const inner = field.message.typeName.startsWith("google.protobuf.") ? undefined : idRewriter(field.message, true);
  if (inner === undefined) return undefined;
  return (request) => {
    const given: unknown = Reflect.get(request, localName);
    for (const each of Array.isArray(given) ? given : [given])
      if (typeof each === "object" && each !== null) inner(each);
  };
}
