import { readFileSync } from "node:fs";

type Responses = Record<string, { readonly $ref?: string }>;
type Operations = Record<string, { readonly responses: Responses }>;

export const openapiText = readFileSync(new URL("../../../src/gen/lookout/openapi.json", import.meta.url), "utf8");

/** The OpenAPI document as a reader sees it: with the answers that several operations share in the place of their references. */
export function readOpenapi<Document extends object>(): Document {
  const document: { paths: Record<string, Operations>; components: { responses: Responses } } = JSON.parse(openapiText);
  for (const operations of Object.values(document.paths))
    for (const { responses } of Object.values(operations))
      for (const [status, { $ref }] of Object.entries(responses)) {
        const shared = document.components.responses[$ref?.split("/").at(-1) ?? ""];
        if (shared !== undefined) responses[status] = shared;
      }
  return document as unknown as Document;
}
