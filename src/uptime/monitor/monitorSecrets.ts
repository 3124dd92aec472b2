import type { Pool } from "pg";
import type { Keyring } from "../../secrets/keyring.ts";
import { urlWithoutSecrets } from "../../text/urlWithoutSecrets.ts";
import type { Monitor, MonitorSecrets, OpenMonitor } from "./monitor.ts";

type Queryable = Pick<Pool, "query">;

/** The columns of a monitor's secrets: what may be shown of the address, and all of them encrypted. */
export type SealedMonitor = { readonly shownUrl: string; readonly secrets: string };

/** Encrypts a monitor's secrets, in the transaction that stores them. Rejects like Keyring.seal. */
export async function sealMonitor(
  client: Queryable,
  keyring: Keyring,
  id: string,
  secrets: MonitorSecrets,
): Promise<SealedMonitor> {
  const { url, headers, body } = secrets;
  const text = JSON.stringify({ url, headers, body } satisfies MonitorSecrets);
  return { shownUrl: urlWithoutSecrets(url), secrets: await keyring.seal(client, "monitors.secrets", id, text) };
}

/** A monitor with its secrets decrypted. Rejects like Keyring.open. */
export async function openMonitor(client: Queryable, keyring: Keyring, monitor: Monitor): Promise<OpenMonitor> {
  const text = await keyring.open(client, "monitors.secrets", monitor.id, monitor.stored);
  // Authenticated text was written by sealMonitor.
  return { ...monitor, secrets: JSON.parse(text) as MonitorSecrets };
}
