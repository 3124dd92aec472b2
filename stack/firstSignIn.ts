import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isLoopbackHost } from "../src/text/loopbackHost.ts";

/** What the banners need of credentials.json. */
export type Credentials = {
  readonly email: string;
  /** The generated one; missing once the person has chosen another one. */
  readonly password?: string;
};

/** Where the output of this process goes. */
export type Output = {
  readonly isTerminal: boolean;
  /** Whether systemd keeps the output in its journal. */
  readonly isJournal: boolean;
};

/**
 * The link with which the first owner signs in and chooses a password, while the generated one has not been changed; undefined afterwards. The generated
 * password is in the fragment, which browsers do not send. A log that is kept gets no link: at an address of other machines only a terminal shows it, and
 * a journal never does.
 */
export function firstSignInLink(
  baseUrl: string,
  credentials: Credentials | undefined,
  { isTerminal, isJournal }: Output,
): string | undefined {
  if (credentials?.password === undefined) return undefined;
  if (!isTerminal && (isJournal || !isLoopbackHost(new URL(baseUrl).host))) return undefined;
  const fragment = new URLSearchParams({ email: credentials.email, password: credentials.password });
  return `${baseUrl}/first-sign-in#${fragment}`;
}

/** Undefined without the file, and if it is not valid. */
export async function readCredentials(dataDir: string): Promise<Credentials | undefined> {
  const text = await readFile(join(dataDir, "credentials.json"), "utf8").catch(() => "");
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of this process. */
export function ownOutput(): Output {
  return { isTerminal: process.stdout.isTTY === true, isJournal: process.env["JOURNAL_STREAM"] !== undefined };
}
