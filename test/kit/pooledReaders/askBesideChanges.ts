import { changeRows } from "./changingRows.ts";
import { openAsking, statements, tables } from "./fixedRows.ts";
import type { OwnQuestdb } from "./ownQuestdb.ts";

const readers = 8;

export type Outcome = {
  readonly answers: number;
  readonly changes: number;
  /** Answers that were not the first one. */
  readonly wrong: readonly { statement: string; found: string; expected: string; foundAgain: string }[];
  /** Messages of failed statements and changes, without their numbers, and how often. */
  readonly failures: ReadonlyMap<string, number>;
};

/** Asks for the fixed rows while other rows change, for `wanted` answers, and compares each with the first. `onStart` is called once the first ones are there. */
export async function askBesideChanges(
  questdb: OwnQuestdb,
  wanted: number,
  onStart: () => Promise<void>,
): Promise<Outcome> {
  const { ask, close } = openAsking(questdb, readers);
  const expected = new Map<string, string>();
  for (const statement of statements) expected.set(statement, await ask(statement));
  await onStart();

  let answers = 0;
  let changes = 0;
  let isDown = false;
  const wrong: Outcome["wrong"][number][] = [];
  const failures = new Map<string, number>();
  const note = (error: unknown) => {
    const text = error instanceof Error ? error.message.replaceAll(/\d+/g, "#").slice(0, 200) : String(error);
    failures.set(text, (failures.get(text) ?? 0) + 1);
    isDown ||= questdb.said.some((line) => line.includes("ended with"));
  };
  const goesOn = () => answers < wanted && !isDown;

  const read = async () => {
    while (goesOn()) {
      const statement = statements[Math.floor(Math.random() * statements.length)] ?? "";
      // Compiled anew, as the first question of a kind is, or planned before.
      const text = Math.random() < 0.5 ? statement : `${statement} -- ${Math.random()}`;
      try {
        const found = await ask(text);
        answers += 1;
        const right = expected.get(statement) ?? "";
        if (found !== right)
          wrong.push({ statement, found, expected: right, foundAgain: await ask(text).catch(String) });
      } catch (error) {
        note(error);
      }
    }
  };
  const change = async (table: (typeof tables)[number]) => {
    for (let round = 1; goesOn(); round += 1) {
      try {
        await changeRows(questdb, table, round);
        changes += 1;
      } catch (error) {
        note(error);
      }
    }
  };
  try {
    await Promise.all([...tables.map(change), ...Array.from({ length: readers }, read)]);
  } finally {
    await close();
  }
  return { answers, changes, wrong, failures };
}
