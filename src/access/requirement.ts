import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { scopes } from "../call/caller.ts";
import { type Requirement, requirement } from "../gen/access/v1/access_pb.ts";

/** What an RPC requires of its caller. Throws when the contract does not say so or has an unknown scope. */
export function requirementOf(method: DescMethod): Requirement {
  if (!hasOption(method, requirement))
    throw new Error(`${method.parent.typeName}.${method.name} does not say what a caller needs`);
  const needed = getOption(method, requirement);
  const needsNoScope = needed.open || (needed.session && needed.scope === "");
  if (!needsNoScope && !scopes.some((scope) => scope === needed.scope))
    throw new Error(`${method.parent.typeName}.${method.name} needs ${needed.scope || "nothing"}, which is no scope`);
  return needed;
}
