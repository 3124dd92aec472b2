import type { Pool } from "pg";

/**
 * Marks a correct code of a person's authenticator as used, so that an onlooker cannot use it too (RFC 6238, section
 * 5.2). False when it was used before, for whatever, in any process.
 */
export async function takeCode(code: string, userId: string, postgres: Pick<Pool, "query">): Promise<boolean> {
  const isFirstUse = await claimCode(code, userId, postgres);
  if (isFirstUse) await keepCode(userId, postgres);
  return isFirstUse;
}

/**
 * Marks a code as used before it is known whether it is correct, so that of several calls with one code only the first goes on. False when
 * it was used before. Follow with keepCode or, if it is wrong, releaseCode.
 */
export async function claimCode(code: string, userId: string, postgres: Pick<Pool, "query">): Promise<boolean> {
  const { rowCount } = await postgres.query(
    "UPDATE second_factors SET used_codes = array_append(used_codes, $2) WHERE user_id = $1 AND $2 <> ALL(used_codes)",
    [userId, code],
  );
  return rowCount === 1;
}

/**
 * The claimed code is correct: it stays marked. The last four are kept; codes are valid for three half minutes, so more are never needed.
 */
export async function keepCode(userId: string, postgres: Pick<Pool, "query">): Promise<void> {
  await postgres.query(
    "UPDATE second_factors SET used_codes = used_codes[greatest(1, cardinality(used_codes) - 3):] WHERE user_id = $1",
    [userId],
  );
}

/** The claimed code is wrong: it may be sent again, and no other one is forgotten for it. */
export async function releaseCode(code: string, userId: string, postgres: Pick<Pool, "query">): Promise<void> {
  await postgres.query("UPDATE second_factors SET used_codes = array_remove(used_codes, $2) WHERE user_id = $1", [
    userId,
    code,
  ]);
}
