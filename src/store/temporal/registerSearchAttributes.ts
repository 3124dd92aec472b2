import type { OperatorService } from "@temporalio/client";
import { searchAttributes } from "./searchAttributes.ts";

/** Numbers of temporal.api.enums.v1.IndexedValueType. */
const typeNumbers = { TEXT: 1, KEYWORD: 2, INT: 3, DOUBLE: 4, BOOL: 5, DATETIME: 6, KEYWORD_LIST: 7 } as const;

/**
 * Adds missing search attributes to the namespace; safe to run in several processes at once. Rejects when one exists
 * with another type, which only an operator can resolve.
 */
export async function registerSearchAttributes(
  connection: { readonly operatorService: OperatorService },
  namespace: string,
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
}

/** gRPC status ALREADY_EXISTS: another process was faster. */
function isAlreadyExists(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === 6;
}
