import type { JsonObject } from "@bufbuild/protobuf";
import type { QuestdbReader, Row } from "../../store/questdb/questdbReader.ts";
import { dimensionsOf } from "../catalogue/typeParts.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer, PreparedStatement } from "../plan/preparedAnswer.ts";
import { prepare } from "../shapes/prepare.ts";
import { usualRanges } from "../shapes/websitesToday.ts";
import { asksVisits, wantsCutVisits } from "../visits/asksVisits.ts";
import type { FindVisits } from "../visits/findVisits.ts";
import { findOtherVisits } from "../visits/otherVisits.ts";

type Reader = Pick<QuestdbReader, "read" | "readEach">;

/**
 * Answers one parameter: the rows of its page, as the catalogue describes them. Does not check access: the plan lists
 * the websites. Without `findVisits` all visits are computed from events. Rejects with the driver's error.
 */
export async function runParameter(
  plan: ParameterPlan,
  reader: Reader,
  findVisits?: FindVisits,
): Promise<JsonObject[]> {
  const visits =
    findVisits !== undefined && asksVisits(plan) ? await findVisits(plan, reader, wantsCutVisits(plan)) : undefined;
  const dimensions = dimensionsOf(plan.type).map(({ column }) => column);
  const filters = [...plan.filters, ...(plan.goals ?? []).flatMap((goal) => goal.filters)];
  const asked = { ...plan, fields: [...filters.map(({ field }) => field), ...dimensions, plan.split?.column ?? ""] };
  const others = await findOtherVisits(plan, asked, reader, findVisits);
  const usual = await findUsual(plan, reader, findVisits);
  let answer: JsonObject[] | PreparedAnswer = prepare({ ...plan, visits, ...others, ...usual });
  while (!Array.isArray(answer)) {
    const results = await Promise.all(answer.statements.map((statement) => run(statement, reader)));
    answer = await answer.rows(results);
  }
  return answer;
}

/** The days that make what is usual, for the type that shows it. */
async function findUsual(
  plan: ParameterPlan,
  reader: Reader,
  findVisits: FindVisits | undefined,
): Promise<Pick<ParameterPlan, "usual">> {
  if (plan.type.shape.kind !== "websites_today") return {};
  const days = usualRanges(plan).map(async (range) => ({
    range,
    visits: await findVisits?.({ ...plan, range }, reader, false),
  }));
  return { usual: await Promise.all(days) };
}

async function run({ sql, values, each }: PreparedStatement, reader: Reader): Promise<Row[]> {
  if (each === undefined) return reader.read(sql, values);
  await reader.readEach(sql, values, each);
  return [];
}
