import type { JsonObject } from "@bufbuild/protobuf";
import type { QuestdbReader } from "../store/questdbReader.ts";
import type { ParameterPlan } from "./parameterPlan.ts";
import { prepare } from "./prepare.ts";

/**
 * Answers one parameter: the rows of its page, as the catalogue describes them. Asks nothing about access: the plan names the websites.
 * Rejects with the driver's error.
 */
export async function runParameter(plan: ParameterPlan, reader: Pick<QuestdbReader, "read">): Promise<JsonObject[]> {
  const { statements, rows } = prepare(plan);
  return rows(await Promise.all(statements.map(({ sql, values }) => reader.read(sql, values))));
}
