import { type ErrorDetail, validationError } from "../errors/errors.ts";
import type { WebsitePaths } from "../gen/lookout/v1/websites_pb.ts";
import type { PathRules } from "../text/pagePath.ts";

/** The rules of a request; the parameters each once, in their order. Throws VALIDATION_ERROR that names the field. */
export function readPaths({ trailingSlash, queryParameters }: WebsitePaths): PathRules {
  const details = queryParameters.flatMap((name, index) => wrongName(`paths.queryParameters[${index}]`, name));
  if (details.length > 0) throw validationError(details);
  return {
    trailingSlash: trailingSlash === "remove" ? "remove" : "keep",
    queryParameters: [...new Set(queryParameters)],
  };
}

function wrongName(field: string, name: string): ErrorDetail[] {
  return name.startsWith("utm_")
    ? [{ field, message: "is a parameter of campaigns, which have fields of their own" }]
    : [];
}
