import type { ChangeLanguageReply } from "../../gen/lookout/services.ts";
import type { ChangeLanguageRequest } from "../../gen/lookout/v1/auth_pb.ts";
import type { AccountCall } from "../accountCall.ts";
import { requirePerson } from "./sessionMessage.ts";

/** POST /auth/language: keeps the language of e-mails to the person. */
export async function changeLanguage(
  { language }: ChangeLanguageRequest,
  call: AccountCall,
): Promise<ChangeLanguageReply> {
  const { userId } = requirePerson(call);
  await call.app.postgres.query("UPDATE users SET language = $2 WHERE id = $1", [userId, language]);
  return { success: true };
}
