import type { PoolClient } from "pg";
import type { Keyring } from "../../secrets/keyring.ts";
import { inTransactionOf } from "../../store/postgres/inTransaction.ts";
import { type MonitorSecrets, plainSecrets } from "../monitor/monitor.ts";
import { sealMonitor } from "../monitor/monitorSecrets.ts";

/** Monitors of one transaction. */
const atOnce = 200;

/**
 * Encrypts the secrets of monitors that earlier versions stored in the clear, as part of the start, some at a
 * time: whatever ends it, the next start does the rest. Deleted monitors too.
 */
export async function sealMonitors(client: PoolClient, keyring: Keyring): Promise<void> {
  for (let sealed = atOnce; sealed === atOnce; )
    sealed = await inTransactionOf(client, () => sealSome(client, keyring));
}

async function sealSome(client: PoolClient, keyring: Keyring): Promise<number> {
  const { rows } = await client.query<{ id: string; plain: string }>(
    `SELECT id, ${plainSecrets} AS plain FROM monitors WHERE secrets IS NULL LIMIT ${atOnce} FOR UPDATE`,
  );
  for (const { id, plain } of rows) {
    const { shownUrl, secrets } = await sealMonitor(client, keyring, id, JSON.parse(plain) as MonitorSecrets);
    await client.query(
      "UPDATE monitors SET shown_url = $2, secrets = $3, url = '', options = options - 'headers' - 'body' WHERE id = $1",
      [id, shownUrl, secrets],
    );
  }
  return rows.length;
}
