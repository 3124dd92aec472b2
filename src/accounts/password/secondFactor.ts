import type { Pool } from "pg";
import { ApiError, validationError } from "../../errors/errors.ts";
import type {
  DisableSecondFactorReply,
  EnableSecondFactorReply,
  VerifySecondFactorReply,
} from "../../gen/lookout/services.ts";
import type {
  DisableSecondFactorRequest,
  EnableSecondFactorRequest,
  VerifySecondFactorRequest,
} from "../../gen/lookout/v1/auth_pb.ts";
import type { AccountCall } from "../accountCall.ts";
import { refusalCode, unwrapped } from "../authFailure.ts";
import { auditCredentials } from "../session/auditSignIn.ts";
import { currentSession } from "../session/getSession.ts";
import { handOver } from "../session/newSession.ts";
import { claimCode, keepCode, releaseCode } from "../session/usedCodes.ts";
import { provePassword, sessionHeaders } from "./provePassword.ts";

/**
 * POST /auth/second-factor/enable: begins to set up a second factor (TOTP, RFC 6238). It takes effect only after
 * VerifySecondFactor got a code. Rejects with VALIDATION_ERROR for a wrong password and CONFLICT if there is a second
 * factor already.
 */
export async function enableSecondFactor(
  { password }: EnableSecondFactorRequest,
  call: AccountCall,
): Promise<EnableSecondFactorReply> {
  return await provePassword("password", call, async (auth, headers) => {
    const answer = await auth.api.enableTwoFactor({ body: { password, method: "totp" }, headers }).catch(alreadyThere);
    if (answer.method !== "totp") throw new Error("better-auth set up another second factor than TOTP");
    return { totpUri: answer.totpURI, backupCodes: answer.backupCodes };
  });
}

function alreadyThere(error: unknown): never {
  if (refusalCode(error) !== "TOTP_ALREADY_ENABLED") throw error;
  throw new ApiError(
    "CONFLICT",
    "Your account has a second factor already. Remove it first, with POST /auth/second-factor/disable",
  );
}

/**
 * POST /auth/second-factor/verify: confirms the authenticator with its first code; from then on a sign-in needs one.
 * Rejects with VALIDATION_ERROR for a wrong or used code and CONFLICT if no set-up was begun.
 */
export async function verifySecondFactor(
  { code }: VerifySecondFactorRequest,
  call: AccountCall,
): Promise<VerifySecondFactorReply> {
  const { accounts, postgres } = call.app;
  const { caller, email, hasSecondFactor } = await currentSession(call);
  const forget = await accounts.signInLimit.take("sign-in", email, call);
  const auth = await accounts.auth();
  // better-auth replaces the session: two calls at once would each end the session that the other one made or goes on with.
  if (!(await claimCode(code, caller.userId, postgres))) throw await refusedClaim(caller.userId, postgres);
  const { headers } = await auth.api
    .verifyTOTP({ body: { code }, headers: sessionHeaders(call), returnHeaders: true })
    .catch(async (error: unknown) => {
      await releaseCode(code, caller.userId, postgres);
      if (refusalCode(error) !== "INVALID_CODE") return unwrapped(error);
      throw validationError([{ field: "code", message: "is wrong or has expired; send the one that is shown now" }]);
    });
  await keepCode(caller.userId, postgres);
  // With an active second factor the session stays as it is.
  if (!hasSecondFactor) {
    await handOver(headers, call, caller.organizationId);
    await auditCredentials(caller, "member.add_second_factor", call);
  }
  await forget();
  return { success: true };
}

/** Why a code could not be claimed. */
async function refusedClaim(userId: string, postgres: Pick<Pool, "query">): Promise<ApiError> {
  const { rowCount } = await postgres.query("SELECT 1 FROM second_factors WHERE user_id = $1", [userId]);
  return rowCount === 0
    ? new ApiError("CONFLICT", "Nothing was begun. Begin with POST /auth/second-factor/enable")
    : validationError([{ field: "code", message: "was used already; send the next one that is shown" }]);
}

/** POST /auth/second-factor/disable: removes the second factor. Rejects with VALIDATION_ERROR for a wrong password. */
export async function disableSecondFactor(
  { password }: DisableSecondFactorRequest,
  call: AccountCall,
): Promise<DisableSecondFactorReply> {
  const { caller } = await currentSession(call);
  const cookies = await provePassword("password", call, async (auth, headers) => {
    const answer = await auth.api.disableTwoFactor({ body: { password }, headers, returnHeaders: true });
    return answer.headers;
  });
  await handOver(cookies, call, caller.organizationId);
  await auditCredentials(caller, "member.remove_second_factor", call);
  return { success: true };
}
