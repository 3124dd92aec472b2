/** Why a store failed. */
export type StoreProblem =
  /** One read, or all reads of a call, took longer than allowed. */
  | { readonly kind: "read_too_long" | "call_too_long"; readonly timeoutMs: number }
  | { readonly kind: "too_many_rows"; readonly maxRows: number }
  /** The owner of a read, such as a website, has this many reads waiting already. */
  | { readonly kind: "owner_queue_full"; readonly maxWaiting: number }
  | { readonly kind: "queue_full" | "too_many_files" }
  /** QuestDB broke off a statement for a reason of its own, repeatedly. */
  | { readonly kind: "broken_off" }
  /** The caller no longer waits for the read. */
  | { readonly kind: "given_up" }
  /** Rows cannot be accepted. */
  | { readonly kind: "log_full" | "log_unwritable" | "log_unavailable" | "not_answering" | "stopping" };

/** A store or a log failed; src/call/storeFailureAnswer.ts words it for callers. */
export class StoreFailure extends Error {
  override name = "StoreFailure";
  readonly problem: StoreProblem;

  constructor(problem: StoreProblem, cause?: unknown) {
    super(`The store failed: ${problem.kind}`, { cause });
    this.problem = problem;
  }
}
