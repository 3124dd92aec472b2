import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../config.ts";

/** The content of DATA_DIR/credentials.json, for the person who started the service. */
export type Credentials = {
  baseUrl: string;
  organizationId: string;
  websiteId: string;
  apiKey: string;
  email: string;
  /** Missing once the person has chosen another one. */
  password?: string;
  temporalUi: string;
};

export function credentialsPath({ stack }: Pick<Config, "stack">): string {
  return join(stack.dataDir, "credentials.json");
}

/**
 * Writes credentials.json (mode 0600). Addresses that it had are kept: those of a running service may differ from the
 * settings, where a port was taken.
 */
export async function writeCredentials(
  config: Config,
  account: Omit<Credentials, "baseUrl" | "temporalUi">,
): Promise<void> {
  const known = await readCredentials(config);
  const { baseUrl, temporalUi } = known ?? { baseUrl: config.server.baseUrl, temporalUi: config.temporal.uiUrl };
  await replaceFile(credentialsPath(config), { baseUrl, ...account, temporalUi });
}

/**
 * Updates the addresses in credentials.json, since ports may differ from one start to the next. Does nothing without
 * the file.
 */
export async function refreshCredentials(config: Config, baseUrl: string): Promise<void> {
  const known = await readCredentials(config);
  const temporalUi = config.temporal.uiUrl;
  if (known !== undefined && (known.baseUrl !== baseUrl || known.temporalUi !== temporalUi))
    await replaceFile(credentialsPath(config), { ...known, baseUrl, temporalUi });
}

/**
 * Removes a password that is not valid any more. Does nothing without the file, or when it names another person: of several processes only the one
 * that made the account has it.
 */
export async function dropPassword(config: Pick<Config, "stack">, email: string): Promise<void> {
  const known = await readCredentials(config);
  if (known?.password === undefined || known.email !== email) return;
  const { password: _, ...kept } = known;
  await replaceFile(credentialsPath(config), kept);
}

/** Undefined without the file, and if it is not valid: `npm run recover` replaces it then. */
async function readCredentials(config: Pick<Config, "stack">): Promise<Credentials | undefined> {
  const text = await readFile(credentialsPath(config), "utf8").catch(() => "");
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function replaceFile(path: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.new`;
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  // A draft left by a crash keeps its old mode.
  await chmod(draft, 0o600);
  await rename(draft, path);
}
