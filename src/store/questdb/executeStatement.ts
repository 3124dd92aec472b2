import { execRequest, type QuestdbAddress } from "./questdbAddress.ts";

export type Cell = string | number | boolean | null;

/**
 * Runs a statement at QuestDB's `/exec` and returns its rows. Rejects with QuestDB's error text, and when `signal`
 * aborts.
 */
export async function executeStatement(
  address: QuestdbAddress,
  statement: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Cell[][]> {
  const { url, headers } = execRequest(address, statement);
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    headers,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(`QuestDB answered "${reasonOf(body, response.status)}" to: ${statement}`);
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
