import { AuthService } from "../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { clientOf, errorOf } from "./client.ts";
import { sessionState, signedInAs, typedPassword } from "./session.ts";

const auth = clientOf(AuthService);

/**
 * Signs in with a password that the service made. `code asked`: the account has a second factor. `outdated`: it is not the password, or the person has
 * chosen it; then the new session is ended, so that a link cannot sign a person in to an account of somebody else.
 */
export async function signInWithGenerated(
  email: string,
  password: string,
  code: string | undefined,
): Promise<"signed in" | "code asked" | "outdated"> {
  try {
    const { session: found } = await auth.signIn({ email, password, code });
    if (!found?.hasGeneratedPassword) {
      await auth.signOut({});
      sessionState.value = { kind: "none" };
      return "outdated";
    }
    typedPassword.value = password;
    signedInAs(found);
    return "signed in";
  } catch (thrown) {
    const error = errorOf(thrown);
    if (error.code === "AUTH_REQUIRED") return "code asked";
    // With a code, that may be what is wrong.
    if (error.code === "UNAUTHORIZED" && code === undefined) return "outdated";
    throw thrown;
  }
}
