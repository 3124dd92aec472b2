import { AuthService } from "../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { readStored } from "../preferences/stored.ts";
import { isLanguage, type Language } from "../texts/languages.ts";
import { chooseLanguage } from "../texts/texts.ts";
import { clientOf } from "./client.ts";
import { session } from "./session.ts";

const auth = clientOf(AuthService);

/** Shows a language from now on, in this browser, and has e-mails to the person written in it. */
export async function chooseOwnLanguage(name: Language): Promise<void> {
  await chooseLanguage(name);
  // Only e-mails depend on it, so nothing is said when it fails.
  if (session.value !== undefined) await auth.changeLanguage({ language: name }).catch(() => undefined);
}

/** After a sign-in: a browser without a choice shows the language that the person has chosen in another one. */
export async function showOwnLanguage(): Promise<void> {
  const chosen = session.value?.language;
  if (isLanguage(chosen) && readStored("language") === undefined) await chooseLanguage(chosen);
}
