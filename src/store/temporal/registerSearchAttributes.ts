import { setTimeout as pause } from "node:timers/promises";
import type { OperatorService } from "@temporalio/client";
import { searchAttributes } from "./searchAttributes.ts";

/** Numbers of temporal.api.enums.v1.IndexedValueType. */
const typeNumbers = { TEXT: 1, KEYWORD: 2, INT: 3, DOUBLE: 4, BOOL: 5, DATETIME: 6, KEYWORD_LIST: 7 } as const;

/** Temporal lists a new attribute a little later. */
const againAfterMs = 250;

/**
 * Adds missing search attributes to the namespace; safe to run in several processes at once. Rejects when one exists
 * with another type, which only an operator can resolve.
 */
export async function registerSearchAttributes(
  connection: { readonly operatorService: OperatorService },
  namespace: string,
): Promise<void> {
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
      if (!isAlreadyExists(error)) throw error;
      await pause(againAfterMs);
    }
  }
}

/** gRPC status ALREADY_EXISTS: another process was faster with one of them. */
function isAlreadyExists(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === 6;
}
