import type { JsonObject } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { dataSet } from "../../kit/oracle/dataSet.ts";
import { expectedValue, oracleAnswer } from "../../kit/oracle/oracleAnswer.ts";
import { OracleTables } from "../../kit/oracle/oracleTables.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { seededRandom } from "../../kit/random/seededRandom.ts";
import { breakdowns, brokenLaws } from "./laws.ts";
import { randomQuestion } from "./randomQuestion.ts";

const rounds = 8;

/** The laws are of definitions, so the answers that queries are compared with keep them too. */
test.for([true, false])(
  "2 the laws of figures hold in the oracle, with events without a visitor: %s",
  async (hasLoneEvents) => {
    const tables = await OracleTables.open(dataSet(20_260_306, { sessions: 100, allHaveVisitors: !hasLoneEvents }));
    try {
      const random = seededRandom(hasLoneEvents ? 1 : 2);
      for (let round = 0; round < rounds; round += 1) {
        const question = randomQuestion(random);
        const broken = await brokenLaws(
          async (type, asked): Promise<JsonObject[]> => {
            const query = { ...asked, type, unit: "day" as const, limit: 10_000, page: 1 };
            const facts = await oracleAnswer(query, tables);
            return facts.map((fact) =>
              Object.fromEntries(type.fields.map(({ name, from }) => [name, expectedValue(from, fact, query)])),
            );
          },
          question,
          { hasLoneEvents },
          [pick(random, breakdowns), pick(random, breakdowns)],
        );
        expect(broken, JSON.stringify(question)).toEqual([]);
      }
    } finally {
      tables.close();
    }
  },
);
