import type { Config } from "../config.ts";
import type { DataCall } from "../lifecycle/dataCall.ts";
import { type Channel, channelColumns, isShownChannel, openChannel } from "../uptime/notifications/channels/channel.ts";
import type { Destination } from "./facts.ts";

/**
 * The hosts that data of a website goes to: the notification channels that its monitors notify, exports and backups. Each
 * once, by kind and host.
 */
export async function readDestinations(
  organizationId: string,
  websiteId: string,
  { app }: DataCall,
): Promise<Destination[]> {
  const { rows } = await app.postgres.query<Channel>(
    `SELECT ${channelColumns} FROM notification_channels WHERE ${isShownChannel} AND deleted_at IS NULL ORDER BY created_at, id`,
    [organizationId, [websiteId]],
  );
  const channels = await Promise.all(rows.map((row) => openChannel(app.postgres, app.keyring, row)));
  const found = [...channels.map(({ kind, target }) => ({ kind, host: hostOf(target) })), ...storesOf(app.config)];
  return [...new Map(found.map((each) => [`${each.kind} ${each.host}`, each])).values()];
}

/** Where exports and backups are kept; backups that an operator makes by hand are not known. */
export function storesOf({ exports, backup }: Pick<Config, "exports" | "backup">): Destination[] {
  const bucketHost = hostOf(backup.s3.endpoint ?? "https://s3.amazonaws.com");
  return [
    { kind: "exports", host: exports.bucket === undefined ? null : bucketHost },
    ...(backup.to === undefined
      ? []
      : [{ kind: "backups" as const, host: backup.to.startsWith("s3://") ? bucketHost : null }]),
  ];
}

/** The host of an address, or of an e-mail address: the rest of it may be a secret or a person. */
function hostOf(target: string): string {
  return URL.canParse(target) ? new URL(target).hostname : target.slice(target.lastIndexOf("@") + 1);
}
