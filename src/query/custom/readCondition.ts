import type { Value } from "@bufbuild/protobuf/wkt";
import type { IANAZone } from "luxon";
import { detail, type Problems, quoted } from "../../errors/problems.ts";
import type { CustomCondition } from "../../gen/lookout/v1/query_pb.ts";
import { nearest } from "../../text/nearest.ts";
import { parseDate } from "../../time/dates.ts";
import { noValue, problemOf, textsOf } from "../filters/readFilters.ts";
import type { Condition } from "./customPlan.ts";
import type { ColumnKind } from "./customTable.ts";
import { type CustomOperator, customOperators } from "./operators.ts";

/** The comparison of a condition on values of a kind. Undefined when it is invalid, with a violation at `where`. */
export function readCondition(
  { operator: name, value }: CustomCondition,
  kind: ColumnKind,
  zone: IANAZone,
  where: string,
  problems: Problems,
): Condition | undefined {
  const operator = customOperators.get(name);
  const usable = [...customOperators].filter(([, { kinds }]) => kinds.includes(kind)).map(([known]) => known);
  if (operator === undefined || !operator.kinds.includes(kind)) {
    const next =
      usable.length === 0
        ? "must be left out: this column cannot be compared"
        : `must be one of ${usable.join(", ")} here`;
    const suggestion = operator === undefined ? nearest(name, usable) : undefined;
    return problems.add(detail(`${where}.operator`, `${next}, not ${quoted(name)}`, suggestion));
  }
  const texts = operator.takes === "none" ? noValue(value) : textsOf(value);
  const isText = kind === "text" || kind === "property";
  const problem = problemOf(
    texts,
    { takes: operator.takes, comparison: operator.comparison.by },
    !isText || operator.comparison.by === "equals",
  );
  if (problem !== undefined || texts === undefined) return problems.add(detail(`${where}.value`, problem ?? ""));
  if (operator.takes === "none") return { comparison: operator.comparison, values: texts };
  const values = texts.map((text) => readValue(text, value, operator, kind, zone));
  const known = values.filter((one) => one !== undefined);
  if (known.length === values.length) return { comparison: operator.comparison, values: known };
  const wanted = kind === "time" ? "a day (YYYY-MM-DD), an ISO 8601 date and time or Unix ms" : "a number";
  return problems.add(detail(`${where}.value`, `must be ${wanted} here`));
}

/** A value for a comparison: a number if sizes are compared, Unix ms for a time, else its text. */
function readValue(
  text: string,
  sent: Value | undefined,
  { comparison }: CustomOperator,
  kind: ColumnKind,
  zone: IANAZone,
): string | number | undefined {
  if (kind === "time") {
    const isNumber = sent?.kind.case === "numberValue";
    return isNumber ? usableTime(Number(text)) : parseDate(text, "start", zone);
  }
  if (kind !== "number" && comparison.by !== "order") return text;
  const number = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Unix ms from 1970 to 2199, as for dates. */
function usableTime(ms: number): number | undefined {
  return Number.isInteger(ms) && ms >= 0 && ms < Date.UTC(2200, 0) ? ms : undefined;
}
