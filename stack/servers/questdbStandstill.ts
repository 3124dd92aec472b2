import { poll } from "../../src/concurrency/poll.ts";
import { askQuestdb } from "../../src/store/questdb/askQuestdb.ts";
import type { TableProgress } from "../../src/store/questdb/standstill.ts";
import type { StandstillRule } from "../standstillRule.ts";

/** How often the tables are checked, and how long the answer may take: a busy machine must not hide that nothing is applied. */
const lookEveryMs = 5_000;
const lookTimeoutMs = 20_000;

/** Resolves with the reason once the rule has one to restart QuestDB. Rejects when `ended` aborts. */
export async function whenStuck(address: string, rule: StandstillRule, ended: AbortSignal): Promise<string> {
  const look = async () => {
    // This rule does not concern a QuestDB that does not answer.
    const tables = await readProgress(address, ended).catch(() => undefined);
    return tables && rule.decide(tables, performance.now());
  };
  return await poll(look, ended, lookEveryMs);
}

async function readProgress(address: string, ended: AbortSignal): Promise<ReadonlyMap<string, TableProgress>> {
  const statement = "SELECT name, suspended, writerTxn, sequencerTxn FROM wal_tables()";
  const signal = AbortSignal.any([ended, AbortSignal.timeout(lookTimeoutMs)]);
  const { status, body } = await askQuestdb(address, statement, signal);
  if (status !== 200) throw new Error(`QuestDB answers ${status}`);
  const { dataset }: { dataset: [string, boolean, number, number][] } = JSON.parse(body);
  return new Map(dataset.map(([name, isSuspended, applied, committed]) => [name, { isSuspended, applied, committed }]));
}
