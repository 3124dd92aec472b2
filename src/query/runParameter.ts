import type { JsonObject } from "@bufbuild/protobuf";
import type { QuestdbReader, Row } from "../store/questdbReader.ts";
import type { ParameterPlan } from "./parameterPlan.ts";
import { prepare } from "./prepare.ts";
import type { PreparedAnswer, PreparedStatement } from "./preparedAnswer.ts";

type Reader = Pick<QuestdbReader, "read" | "readEach">;

/**
 * Answers one parameter: the rows of its page, as the catalogue describes them. Asks nothing about access: the plan names the websites.
 * Rejects with the driver's error.
 */
export async function runParameter(plan: ParameterPlan, reader: Reader): Promise<JsonObject[]> {
  let answer: JsonObject[] | PreparedAnswer = prepare(plan);
  while (!Array.isArray(answer)) {
    const results = await Promise.all(answer.statements.map((statement) => run(statement, reader)));
    answer = answer.rows(results);
  }
  return answer;
}

async function run({ sql, values, each }: PreparedStatement, reader: Reader): Promise<Row[]> {
  if (each === undefined) return reader.read(sql, values);
  await reader.readEach(sql, values, each);
  return [];
}
