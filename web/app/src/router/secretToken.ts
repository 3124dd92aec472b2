import { place } from "./router.ts";

/** Kept while the app is open: people leave the invitation to sign in and come back. */
const tokens = new Map<string, string>();

/**
 * The token after `#token=` in an e-mail's link; empty without one. It is removed from the address at once, so that it stays
 * neither on screen nor in the history.
 */
export function useSecretToken(page: "invitation" | "reset-password"): string {
  const given = new URLSearchParams(place.value.fragment).get("token");
  if (given !== null) {
    tokens.set(page, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return tokens.get(page) ?? "";
}
