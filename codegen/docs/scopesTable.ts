import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { requirementOf } from "../../src/access/requirement.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { table } from "./markdown.ts";

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
  if (!hasOption(method, http)) return `\`${method.parent.name}.${method.name}\``;
  const { pattern } = getOption(method, http);
  const verb = pattern.case === "post" ? "" : `${pattern.case?.toUpperCase()} `;
  return `\`${verb}${String(pattern.value)}\``;
}
