import { ApiError } from "../../errors/errors.ts";
import type { SignInReply } from "../../gen/lookout/services.ts";
import type { SignInRequest } from "../../gen/lookout/v1/auth_pb.ts";
import type { AccountCall } from "../accountCall.ts";
import type { Auth } from "../auth.ts";
import { isRefused, unwrapped } from "../authFailure.ts";
import { asciiAddress, isFullAddress } from "../emailAddress.ts";
import { auditSignIn } from "./auditSignIn.ts";
import { endSession, handOver } from "./newSession.ts";
import { sessionMessage } from "./sessionMessage.ts";
import { signInHeaders } from "./signInHeaders.ts";
import { takeCode } from "./usedCodes.ts";

/**
 * POST /auth/sign-in: signs a person in and sets the session cookie. If the account has a second factor the same call
 * must have its code.
 *
 * Rejects with UNAUTHORIZED for a wrong e-mail, password or code, with the same text and after the same work for each;
 * with AUTH_REQUIRED when the code is missing, and with RATE_LIMIT_EXCEEDED after too many attempts.
 */
export async function signIn(
  { email: sentEmail, password, code }: SignInRequest,
  call: AccountCall,
): Promise<SignInReply> {
  const { accounts } = call.app;
  const email = asciiAddress(sentEmail);
  const forget = await accounts.signInLimit.take("sign-in", email, call);
  const auth = await accounts.auth();
  const device = signInHeaders(call);
  const signedIn = await checkPassword(auth, email, password, device).catch(refused);
  const cookies = signedIn.needsCode ? await checkCode(auth, call, code, signedIn.cookies) : signedIn.cookies;
  const session = await handOver(cookies, call);
  await auditSignIn(session.caller, signedIn.needsCode ? "password and code" : "password", call);
  await forget();
  return { session: sessionMessage(session) };
}

/** better-auth's answer: cookies of the session, or of what is left to prove. */
type SignedIn = { readonly cookies: Headers; readonly needsCode: boolean };

async function checkPassword(auth: Auth, email: string, password: string, headers: Headers): Promise<SignedIn> {
  const answer = isFullAddress(email)
    ? await auth.api.signInEmail({ body: { email, password }, headers, returnHeaders: true })
    : await auth.api.signInUsername({ body: { username: email, password }, headers, returnHeaders: true });
  return { cookies: answer.headers, needsCode: "twoFactorRedirect" in answer.response };
}

/** Cookies of the session once the code is correct. */
async function checkCode(auth: Auth, call: AccountCall, code: string | undefined, pending: Headers): Promise<Headers> {
  if (code === undefined)
    throw new ApiError(
      "AUTH_REQUIRED",
      "This account has a second factor. Send the code of its authenticator as well",
      {
        details: [{ field: "code", message: "is required: the authenticator's code, or a backup code" }],
      },
    );
  const headers = signInHeaders(call);
  headers.set(
    "cookie",
    pending
      .getSetCookie()
      .map((cookie) => cookie.split(";", 1)[0])
      .join("; "),
  );
  const request = { body: { code }, headers, returnHeaders: true } as const;
  // better-auth accepts each backup code only once.
  if (!/^\d{6}$/.test(code)) return (await auth.api.verifyBackupCode(request).catch(refused)).headers;
  const answer = await auth.api.verifyTOTP(request).catch(refused);
  if (await takeCode(code, answer.response.user.id, call.app.postgres)) return answer.headers;
  await endSession(auth, answer.headers);
  throw wrongAnswer();
}

/**
 * The same answer for every cause, so that it does not reveal which accounts exist. Of simultaneous attempts with one
 * backup code all but one are such a cause.
 */
function refused(thrown: unknown): never {
  if (isRefused(thrown)) throw wrongAnswer();
  unwrapped(thrown);
}

function wrongAnswer(): ApiError {
  return new ApiError(
    "UNAUTHORIZED",
    "The e-mail address, the password or the code is wrong. Try again, or ask for a new password",
  );
}
