import { askQuestdb } from "./askQuestdb.ts";
import { causeOf, noteFailedMapping } from "./failedMappings.ts";

export type Cell = string | number | boolean | null;

/**
 * Runs a statement at QuestDB's `/exec` and returns its rows. Rejects with QuestDB's error text, and when `signal`
 * aborts.
 */
export async function executeStatement(
  address: string,
  statement: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Cell[][]> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const answer = await askQuestdb(address, statement, either);
  const body: unknown = JSON.parse(answer.body);
  if (answer.status !== 200) {
    const reason = reasonOf(body, answer.status);
    noteFailedMapping(causeOf(statement), reason, address);
    throw new Error(`QuestDB answered "${reason}" to: ${statement}`);
  }
  return isResult(body) ? body.dataset : [];
}

/** What QuestDB says of a statement that failed; its answer has the statement as well. */
export function reasonOf(body: unknown, status: number | undefined): string {
  return isFailure(body) ? body.error : `HTTP ${status}`;
}

/** DDL is answered without a dataset. */
function isResult(body: unknown): body is { dataset: Cell[][] } {
  return typeof body === "object" && body !== null && "dataset" in body && Array.isArray(body.dataset);
}

function isFailure(body: unknown): body is { error: string } {
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "string";
}
