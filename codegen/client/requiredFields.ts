import type { DescField } from "@bufbuild/protobuf";
import { services } from "../../src/gen/lookout/services.ts";
import { isRequired } from "../openapi/openapiSchemas.ts";

/**
 * The fields of requests that a call is refused without: `<message>.<name in the proto>`. The contract for clients has no rules, so they are
 * read from the service's.
 */
export function requiredFields(): ReadonlySet<string> {
  const fields = services.flatMap(({ methods }) => methods.flatMap(({ input }) => input.fields));
  return new Set(fields.filter((field) => isRequired(field, "request")).map(fieldName));
}

/** As in `timeFields` and in the sets of values. */
export function fieldName({ parent, name }: DescField): string {
  return `${parent.name}.${name}`;
}
