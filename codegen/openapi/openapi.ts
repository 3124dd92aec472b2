import type { DescMessage } from "@bufbuild/protobuf";
import { getOption } from "@bufbuild/protobuf";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { commentOf } from "../comments.ts";
import { type Contract, reached } from "../contract.ts";
import { errorSchemas } from "./openapiErrors.ts";
import { addExamples, type Examples } from "./openapiExamples.ts";
import { headers } from "./openapiHeaders.ts";
import { bindingOperation, securitySchemes, sharedParameters } from "./openapiOperations.ts";
import type { JsonSchema } from "./openapiRules.ts";
import { Schemas } from "./openapiSchemas.ts";
import { SharedComponents, shareResponses } from "./sharedComponents.ts";
import { shareFields } from "./sharedFields.ts";

const description = `Web analytics, uptime monitoring and short-link analytics.

Members and query parameters that are not described are refused, except by calls that trackers make, which ignore them. A member that
is null counts as absent. Members are also read under their names in snake_case. Every answer carries its request id in the header X-Request-Id. The same calls are served over gRPC, gRPC-Web and
Connect; the server's reflection describes them.`;

/**
 * The OpenAPI 3.1 document of every call that has a google.api.http path. `errorMessage` is the message of an error
 * body, `examples` what calls of the operations sent and got.
 */
export function openapi(contract: Contract, errorMessage: DescMessage, examples: Examples): JsonSchema {
  const errorExamples = new SharedComponents("examples");
  const responses = new SharedComponents("responses");
  const tooMany = Object.values(examples)
    .flatMap(({ errors }) => errors)
    .find(({ status }) => status === 429);
  const methods = contract.services.flatMap((service) => service.methods);
  const [read, written] = [reached(methods.map(({ input }) => input)), reached(methods.map(({ output }) => output))];
  const schemas = new Schemas(read.intersection(written), contract.strict);
  const paths: Record<string, JsonSchema> = {};
  const tags: JsonSchema[] = [];
  for (const service of contract.services) {
    const tag = service.name.replace(/Service$/, "");
    tags.push({ name: tag, description: commentOf(service) });
    for (const method of service.methods) {
      const rule = getOption(method, http);
      [rule, ...rule.additionalBindings].forEach((binding, index) => {
        const { pattern } = binding;
        if (pattern.case === undefined || pattern.case === "custom") return;
        const path = pattern.value.replace(/=[^}]*\}/g, "}");
        const operationId = `${method.localName}${index === 0 ? "" : index + 1}`;
        const example = examples[operationId];
        const given = example?.errors ?? [];
        // Every call is answered the same past its limit.
        const errors =
          tooMany === undefined || given.some(({ status }) => status === 429) ? given : [...given, tooMany];
        const operation = bindingOperation(method, binding, path, { operationId, tag }, schemas, {
          errors,
          examples: errorExamples,
        });
        paths[path] = { ...paths[path], [pattern.case]: shareResponses(addExamples(operation, example), responses) };
      });
    }
  }
  const errors = errorSchemas(errorMessage, schemas);
  return {
    openapi: "3.1.0",
    info: { title: "Lookout", version: "1", description },
    servers: [{ url: "/" }],
    tags: tags.sort((a, b) => placeOf(a) - placeOf(b)),
    paths: sorted(paths),
    components: {
      schemas: sorted(shareFields({ ...schemas.components, ...errors })),
      securitySchemes,
      parameters: sharedParameters,
      headers,
      responses: sorted(responses.components),
      examples: sorted(errorExamples.components),
    },
  };
}

/** What people look for first comes first. What is not here comes last. */
const tagOrder = [
  ...["Ingest", "Query", "Funnel", "Uptime", "Link", "Website", "Segment", "SharedDashboard"],
  ...["StatusPage", "StatusReport", "MaintenanceWindow", "NotificationChannel", "Data"],
  ...["Vital", "ScriptError", "LlmCall", "Client", "ApiKey", "Auth", "Organization", "Audit"],
];

function placeOf({ name }: JsonSchema): number {
  const place = tagOrder.indexOf(String(name));
  return place < 0 ? tagOrder.length : place;
}

function sorted(members: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}
