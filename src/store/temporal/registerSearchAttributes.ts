import { setTimeout as pause } from "node:timers/promises";
import type { OperatorService, WorkflowService } from "@temporalio/client";
import { lookoutKind, searchAttributes } from "./searchAttributes.ts";

/** Numbers of temporal.api.enums.v1.IndexedValueType. */
const typeNumbers = { TEXT: 1, KEYWORD: 2, INT: 3, DOUBLE: 4, BOOL: 5, DATETIME: 6, KEYWORD_LIST: 7 } as const;

/** Temporal lists a new attribute a little later. */
const againAfterMs = 250;
/** A server reads its namespaces every two seconds, and refuses runs with new attributes until then. */
const usableWithinMs = 10_000;

type Connection = { readonly operatorService: OperatorService; readonly workflowService: WorkflowService };

/**
 * Adds missing search attributes to the namespace and resolves when runs may have them; safe to run in several processes at
 * once. Rejects when one exists with another type, which only an operator can resolve.
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  await addMissing(connection, namespace);
  const giveUpAtMs = Date.now() + usableWithinMs;
  for (;;) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query: findsNothing });
      return;
    } catch (error) {
      if (!hasCode(error, invalidArgument) || Date.now() > giveUpAtMs) throw error;
      await pause(againAfterMs);
    }
  }
}

/** Names every attribute, and is answered at once however many runs there are. */
const findsNothing = searchAttributes
  .map(({ name }) => (name === lookoutKind.name ? `${name} = 'none'` : `${name} IS NULL`))
  .join(" AND ");

async function addMissing(connection: Connection, namespace: string): Promise<void> {
  for (;;) {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = searchAttributes.filter(({ name, type }) => {
      const existing = customAttributes[name];
      if (existing !== undefined && existing !== typeNumbers[type])
        throw new Error(
          `The search attribute ${name} of namespace ${namespace} is not of type ${type}. ` +
            "Remove it (temporal operator search-attribute remove) or set TEMPORAL_NAMESPACE to another namespace.",
        );
      return existing === undefined;
    });
    if (missing.length === 0) return;
    const added = Object.fromEntries(missing.map(({ name, type }) => [name, typeNumbers[type]]));
    try {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: added });
      return;
    } catch (error) {
      // Another process was faster with one of them.
      if (!hasCode(error, alreadyExists)) throw error;
      await pause(againAfterMs);
    }
  }
}

/** gRPC statuses. */
const invalidArgument = 3;
const alreadyExists = 6;

function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
