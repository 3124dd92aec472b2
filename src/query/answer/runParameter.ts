import type { JsonObject } from "@bufbuild/protobuf";
import type { QuestdbReader, Row } from "../../store/questdb/questdbReader.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { findStoredSessions, wantsStoredSessions } from "../sessions/findStoredSessions.ts";
import type { FindUnsettledRanges } from "../sessions/unsettledRanges.ts";
import { prepare } from "./prepare.ts";
import type { PreparedAnswer, PreparedStatement } from "./preparedAnswer.ts";

type Reader = Pick<QuestdbReader, "read" | "readEach">;

/**
 * Answers one parameter: the rows of its page, as the catalogue describes them. Does not check access: the plan lists
 * the websites. Without `findUnsettledRanges` no stored sessions are used. Rejects with the driver's error.
 */
export async function runParameter(
  plan: ParameterPlan,
  reader: Reader,
  findUnsettledRanges?: FindUnsettledRanges,
): Promise<JsonObject[]> {
  const stored =
    findUnsettledRanges !== undefined && wantsStoredSessions(plan)
      ? await findStoredSessions(plan, reader, findUnsettledRanges)
      : undefined;
  let answer: JsonObject[] | PreparedAnswer = prepare(stored === undefined ? plan : { ...plan, stored });
  while (!Array.isArray(answer)) {
    const results = await Promise.all(answer.statements.map((statement) => run(statement, reader)));
    answer = await answer.rows(results);
  }
  return answer;
}

async function run({ sql, values, each }: PreparedStatement, reader: Reader): Promise<Row[]> {
  if (each === undefined) return reader.read(sql, values);
  await reader.readEach(sql, values, each);
  return [];
}
