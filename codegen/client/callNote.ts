import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { requirement } from "../../src/gen/access/v1/access_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { repeatsOf } from "./clientServices.ts";

/** What a key needs for a call, and whether the client repeats it. */
export function callNote(method: DescMethod): string {
  return [needsText(method), repeatsText(method)].filter((text) => text !== "").join(" ");
}

/** The contract for clients has no options for access, so they are read from the service's. */
function needsText({ parent, name }: DescMethod): string {
  const served = services
    .find(({ typeName }) => typeName === parent.typeName)
    ?.methods.find((each) => each.name === name);
  if (served === undefined) throw new Error(`The service has no call ${parent.name}.${name}: run npm run generate`);
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
