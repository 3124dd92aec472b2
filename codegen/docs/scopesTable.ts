import type { DescMethod } from "@bufbuild/protobuf";
import { requirementOf } from "../../src/access/requirement.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { pathOf } from "../callPath.ts";
import { quoted, table } from "./markdown.ts";

/** The calls of the contract by the scope that they require. */
export function scopesTable(): string {
  const methods = services.flatMap((service) => service.methods);
  const byNeed = [...Map.groupBy(methods, needOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return table(
    ["needs", "opens"],
    byNeed.map(([need, opened]) => [need, opened.map(nameOf).join(" ")]),
  );
}

/** The calls that take an idempotency key. */
export function keyedCalls(): string {
  const methods = services.flatMap((service) => service.methods);
  return methods
    .filter(({ input }) => "idempotencyKey" in input.field)
    .map(nameOf)
    .join(" ");
}

function needOf(method: DescMethod): string {
  return requirementOf(method).wholeOrganization
    ? `${credentialsOf(method)}, for the whole organization`
    : credentialsOf(method);
}

function credentialsOf(method: DescMethod): string {
  const { scope, open, session, orPublicWebsite } = requirementOf(method);
  if (session) return scope === "" ? "a session" : `a session with \`${scope}\``;
  if (open) return scope === "" ? "nothing" : `nothing; a key that is sent, \`${scope}\``;
  return orPublicWebsite ? `\`${scope}\`, or a public website` : `\`${scope}\``;
}

/** Its path, with the verb unless it is POST; its name if it is only served over gRPC. */
function nameOf(method: DescMethod): string {
  return quoted(pathOf(method)?.replace(/^POST /, "") ?? `${method.parent.name}.${method.name}`);
}
