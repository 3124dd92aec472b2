/** What QuestDB was doing when it could not map a file: a kind of statement, rows that were written, or a table that it applied rows to. */
export const mappingCauses = ["select", "update", "alter", "other", "export", "write", "apply"] as const;

export type MappingCause = (typeof mappingCauses)[number];

/** `reason` is QuestDB's message without the statement; `at` is the host and port of the QuestDB. */
export type FailedMapping = { readonly cause: MappingCause; readonly reason: string; readonly at: string };

type Listener = (failed: FailedMapping) => void;

const listeners = new Set<Listener>();

/**
 * Calls `listener` for each mapping that failed in this process's sight, until the function that it returns is called. There is one list for
 * the process: statements reach QuestDB in several ways, and each failure is to be logged and counted, once.
 */
export function onFailedMapping(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * QuestDB's words for a file that it could not map into memory, or no larger part of it, as at the system's limit of mapped files;
 * undefined if `text` has none.
 */
export function failedMappingIn(text: string): string | undefined {
  return /could not (?:mmap|remap)[a-z() ]{0,32}(?:\[[\w=, -]{0,200}\])?/.exec(text)?.[0].trim();
}

/** Reports a failed mapping, if `text` is about one; whether it is. */
export function noteFailedMapping(cause: MappingCause, text: string, address: string): boolean {
  const reason = failedMappingIn(text);
  if (reason === undefined) return false;
  for (const listener of listeners) listener({ cause, reason, at: new URL(address).host });
  return true;
}

/** The kind of a statement. */
export function causeOf(statement: string): MappingCause {
  const [word = ""] = /[a-z]+/i.exec(statement) ?? [];
  const name = word.toLowerCase();
  if (name === "with") return "select";
  return name === "select" || name === "update" || name === "alter" ? name : "other";
}
