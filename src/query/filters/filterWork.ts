import type { Config } from "../../config.ts";
import { ApiError } from "../../errors/errors.ts";
import { detail } from "../../errors/problems.ts";
import type { QueryFilter } from "../../gen/lookout/v1/query_pb.ts";

type ConfiguredCall = { readonly app: { readonly config: Pick<Config, "query"> } };

/** How many values filters compare with. */
export function countValues(filters: readonly Pick<QueryFilter, "value">[]): number {
  return filters.reduce(
    (sum, { value }) => sum + (value?.kind.case === "listValue" ? value.kind.value.values.length : 1),
    0,
  );
}

/**
 * Rejects a request whose filters are too much work, before any of it is done: QuestDB compiles each value that a
 * statement compares with. `count` is the total over all statements. Throws VALIDATION_ERROR.
 */
export function requireFewFilterValues(count: number, { app }: ConfiguredCall): void {
  const most = app.config.query.maxFilterValues;
  if (count <= most) return;
  const message =
    `must compare with at most ${most.toLocaleString("en")} values in all, counted for each parameter, not ` +
    `${count.toLocaleString("en")}; ask for fewer parameters at once or send shorter lists`;
  throw new ApiError("VALIDATION_ERROR", `filters ${message}`, { details: [detail("filters", message)] });
}
