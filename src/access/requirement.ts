import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { type Requirement, requirement } from "../gen/access/v1/access_pb.ts";
import { scopes } from "./caller.ts";

/** What a caller needs for an RPC. Throws when the contract does not say it or names a scope that does not exist. */
export function requirementOf(method: DescMethod): Requirement {
  if (!hasOption(method, requirement))
    throw new Error(`${method.parent.typeName}.${method.name} does not say what a caller needs`);
  const needed = getOption(method, requirement);
  const needsNoScope = needed.open || (needed.session && needed.scope === "");
  if (!needsNoScope && !scopes.some((scope) => scope === needed.scope))
    throw new Error(`${method.parent.typeName}.${method.name} needs ${needed.scope || "nothing"}, which is no scope`);
  return needed;
}
