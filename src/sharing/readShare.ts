import { detail, Problems, quoted } from "../errors/problems.ts";
import type { CreateSharedDashboardRequest } from "../gen/lookout/v1/shared_dashboards_pb.ts";
import { catalogue } from "../query/catalogue/catalogue.ts";
import { filterProblem, isPublicFilter } from "../query/filters/allowedFilters.ts";
import { readFilters } from "../query/filters/readFilters.ts";
import { storedFilters } from "../query/filters/storedFilters.ts";
import { isStorableText, unstorableText } from "../text/isStorableText.ts";
import { nearest } from "../text/nearest.ts";
import { readName } from "../text/readName.ts";
import { readExpiry } from "../time/futureInstant.ts";

/** What a request says about a dashboard to share. */
type GivenShare = Pick<CreateSharedDashboardRequest, "name" | "types" | "filters" | "origins" | "expiresAt">;

/**
 * What is shared, as the table stores it. Throws VALIDATION_ERROR that names what is wrong: a type that no public dashboard has, a filter that one of the
 * types does not take or that is about single visitors, an origin that is none.
 */
export function readShare({ name, types, filters, origins, expiresAt }: GivenShare) {
  const problems = new Problems();
  readTypes(types, problems);
  readFilters(filters, (field, message) => problems.add(detail(field, message)));
  filters.forEach(({ field }, index) => {
    const problem = filterProblemOf(field, types);
    if (problem !== undefined) problems.add(detail(`filters[${index}].field`, problem));
  });
  origins.forEach((origin, index) => {
    if (!isOrigin(origin))
      problems.add(detail(`origins[${index}]`, "must be an origin such as https://example.com, without a path"));
  });
  problems.throwIfAny();
  return {
    name: readName(name).trim(),
    types: [...new Set(types)],
    filters: storedFilters(filters),
    origins: [...new Set(origins)],
    expiresAt: readExpiry(expiresAt, "a link", Date.now()),
  };
}

function readTypes(types: readonly string[], problems: Problems): void {
  types.forEach((name, index) => {
    if (catalogue.get(name)?.isPublic) return;
    const suggestion = nearest(
      name,
      [...catalogue.values()].filter(({ isPublic }) => isPublic).map((type) => type.name),
    );
    problems.add(detail(`types[${index}]`, `is no query type of public dashboards: ${quoted(name)}`, suggestion));
  });
}

function filterProblemOf(field: string, types: readonly string[]): string | undefined {
  if (!isStorableText(field)) return unstorableText;
  if (!isPublicFilter(field)) return "is about single visitors or their events, which are not shared";
  for (const name of types) {
    const type = catalogue.get(name);
    const problem = type === undefined ? undefined : filterProblem(type, field)?.message;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** URL also parses hosts with characters that mean something in a content security policy, such as ";" and "*". */
const plainOrigin = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?$/;

function isOrigin(text: string): boolean {
  return plainOrigin.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
