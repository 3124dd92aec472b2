import type { NativeConnection } from "@temporalio/worker";
import { retry } from "../src/retry.ts";
import { searchAttributes } from "./searchAttributes.ts";

/** Numbers of temporal.api.enums.v1.IndexedValueType. */
const typeNumbers = { TEXT: 1, KEYWORD: 2, INT: 3, DOUBLE: 4, BOOL: 5, DATETIME: 6, KEYWORD_LIST: 7 } as const;

/**
 * Gives the namespace the search attributes that it lacks and resolves when Temporal takes them; safe to run in several workers at once.
 * Rejects when one exists with another type, which only an operator can settle, and when `stop` aborts.
 */
export async function registerSearchAttributes(
  connection: Pick<NativeConnection, "operatorService" | "workflowService">,
  namespace: string,
  stop: AbortSignal,
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  for (const { name, type } of searchAttributes) {
    const existing = customAttributes[name];
    if (existing === typeNumbers[type]) continue;
    if (existing !== undefined)
      throw new Error(
        `The search attribute ${name} of namespace ${namespace} is not of type ${type}. ` +
          "Remove it (temporal operator search-attribute remove) or set TEMPORAL_NAMESPACE to another namespace.",
      );
    await connection.operatorService
      .addSearchAttributes({ namespace, searchAttributes: { [name]: typeNumbers[type] } })
      .catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
  }
  await whenKnown(connection, namespace, stop);
}

/** Temporal's servers learn of new attributes some seconds later. Until then they refuse runs that have them. */
async function whenKnown(
  { workflowService }: Pick<NativeConnection, "workflowService">,
  namespace: string,
  stop: AbortSignal,
): Promise<void> {
  const query = searchAttributes.map(({ name }) => `${name} IS NULL`).join(" AND ");
  await retry(() => workflowService.countWorkflowExecutions({ namespace, query }), {
    leastWaitMs: 100,
    mostWaitMs: 1_000,
    patienceMs: knownWithinMs,
    stop,
    onRetry: () => undefined,
  });
}

const knownWithinMs = 60_000;

/** gRPC status ALREADY_EXISTS: another worker was faster. */
function isAlreadyExists(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === 6;
}
