/** How an attempt to tell a channel ended. `refused` is not tried again. */
export type AttemptOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "failed"; readonly error: string };
