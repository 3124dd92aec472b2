import { place } from "./router.ts";

type SecretPage = "invitation" | "reset-password" | "first-sign-in";

/** Kept while the app is open: people leave the invitation to sign in and come back. */
const kept = new Map<SecretPage, URLSearchParams>();

/**
 * The parameters after `#` in the link to a page; empty for a link that lacks the one called `name`. They are removed from the address at once, so that
 * they stay neither on screen nor in the history.
 */
export function useLinkSecrets(page: SecretPage, name: string): URLSearchParams {
  const given = new URLSearchParams(place.value.fragment);
  if (given.has(name)) {
    kept.set(page, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return kept.get(page) ?? new URLSearchParams();
}

/** The token after `#token=` in an e-mail's link; empty without one. */
export function useSecretToken(page: "invitation" | "reset-password"): string {
  return useLinkSecrets(page, "token").get("token") ?? "";
}
