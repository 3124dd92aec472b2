import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { requirement } from "../../src/gen/access/v1/access_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { pathOf } from "../callPath.ts";
import { repeatsOf } from "./clientServices.ts";

/**
 * Where a call is served over HTTP, which the docs name it by, what a key needs for it, and whether the client repeats it. `repeats` says
 * so where it is not only the contract that decides.
 */
export function callNote(method: DescMethod, repeats?: string): string {
  const served = servedMethod(method);
  return [pathText(served), needsText(served), repeats ?? repeatsText(method)].filter((text) => text !== "").join(" ");
}

/** The same for clients that repeat events by their ids. */
export function callNoteWithIds(method: DescMethod): string {
  const isOfEvents = method.parent.name === "IngestService";
  return callNote(method, isOfEvents ? "Is repeated after a temporary failure if all events have ids." : undefined);
}

/** The contract for clients has no options for access and paths, so they are read from the service's. */
function servedMethod({ parent, name }: DescMethod): DescMethod {
  const served = services
    .find(({ typeName }) => typeName === parent.typeName)
    ?.methods.find((each) => each.name === name);
  if (served === undefined) throw new Error(`The service has no call ${parent.name}.${name}: run npm run generate`);
  return served;
}

function pathText(served: DescMethod): string {
  const path = pathOf(served);
  return path === undefined ? "" : `Over HTTP: \`${path}\`.`;
}

function needsText(served: DescMethod): string {
  const { scope, orPublicWebsite, open, session } = getOption(served, requirement);
  if (session) return "Needs a signed-in person: no key can do it.";
  if (open) return "Needs no key.";
  if (scope === "") return "Needs a key.";
  return `Needs a key with the scope \`${scope}\`${orPublicWebsite ? ", unless the website is public" : ""}.`;
}

function repeatsText(method: DescMethod): string {
  if (method.methodKind !== "unary") return "";
  const repeats = repeatsOf(method);
  if (repeats === "no") return "Is not repeated after a failure.";
  if (repeats === "with key")
    return "Is repeated after a temporary failure, with an idempotency key, so that it is done once.";
  const isReading = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  return `May be repeated${isReading ? ": it changes nothing" : ": doing it twice is doing it once"}.`;
}
