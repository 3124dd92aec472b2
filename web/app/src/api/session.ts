import { computed, signal } from "@preact/signals";
import { AuthService, type Session } from "../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import type { ApiKeyScope } from "../../../../packages/client-js/src/valueSets.ts";
import { clientOf, errorOf, type LookoutError, whenSignedOut } from "./client.ts";
import { dropPageStart, takeSession } from "./pageStart.ts";

export type SessionState =
  | { readonly kind: "loading" }
  /** `hasEnded`: somebody was signed in until the session ended by itself. */
  | { readonly kind: "none"; readonly hasEnded?: true }
  | { readonly kind: "signed in"; readonly session: Session }
  | { readonly kind: "failed"; readonly error: LookoutError };

/** Who is signed in. */
export const sessionState = signal<SessionState>({ kind: "loading" });

/** The session; undefined while nobody is signed in. */
export const session = computed(() =>
  sessionState.value.kind === "signed in" ? sessionState.value.session : undefined,
);

/** Whether the person's role has a scope. Without it, show no button whose call needs it. */
export function may(scope: ApiKeyScope): boolean {
  return session.value?.scopes.includes(scope) ?? false;
}

/** The same for calls about the organization as a whole, which are refused for people limited to websites. */
export function mayForAll(scope: ApiKeyScope): boolean {
  return may(scope) && session.value?.websiteIds.length === 0;
}

/** The password that was just typed, if the service made it: the page that asks for another one needs it. */
export const typedPassword = signal<string | undefined>(undefined);

/** The e-mail address that was entered last, so that it is not asked for again on the next page before the sign-in. */
export const enteredEmail = signal("");

const auth = clientOf(AuthService);

/** Finds out who is signed in. Never rejects. */
export async function loadSession(): Promise<void> {
  const given = takeSession();
  if (given === null) {
    sessionState.value = { kind: "none" };
    return;
  }
  try {
    const { session: found } = given ?? (await auth.getSession({}));
    if (found !== undefined) sessionState.value = { kind: "signed in", session: found };
  } catch (thrown) {
    const error = errorOf(thrown);
    sessionState.value = error.code === "AUTH_REQUIRED" ? { kind: "none" } : { kind: "failed", error };
  }
}

/** Signs in. Rejects with AUTH_REQUIRED when the account's second factor is needed. */
export async function signIn(email: string, password: string, code: string | undefined): Promise<void> {
  const { session: found } = await auth.signIn({ email, password, code });
  typedPassword.value = found?.hasGeneratedPassword ? password : undefined;
  signedInAs(found);
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await auth.signOut({});
  typedPassword.value = undefined;
  sessionState.value = { kind: "none" };
}

/** Takes over the session that a sign-in has returned. */
export function signedInAs(found: Session | undefined): void {
  dropPageStart();
  if (found !== undefined) enteredEmail.value = "";
  sessionState.value = found === undefined ? { kind: "none" } : { kind: "signed in", session: found };
}

whenSignedOut(() => {
  if (sessionState.value.kind === "signed in") sessionState.value = { kind: "none", hasEnded: true };
});
