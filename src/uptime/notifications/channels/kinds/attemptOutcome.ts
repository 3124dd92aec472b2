/** The result of an attempt at a delivery. `refused` is not retried. */
export type AttemptOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "failed"; readonly error: string };
