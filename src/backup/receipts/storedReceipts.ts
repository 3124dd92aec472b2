import { type BackupTarget, readText } from "../target/backupTarget.ts";
import {
  DamagedReceiptsError,
  noReceipts,
  parseReceipts,
  type Receipts,
  receiptsName,
  withReceiptsThere,
} from "./receipts.ts";

/**
 * Puts receipts beside the backups. Existing receipts stay, since they may be of another installation that was restored from the
 * same backups.
 */
export async function addReceipts(target: BackupTarget, receipts: Receipts): Promise<void> {
  const there = await receiptsOf(target).catch((error: unknown) => {
    // This installation's erasures are all written again. A file of a newer version stays as it is.
    if (!(error instanceof DamagedReceiptsError)) throw error;
    return undefined;
  });
  const merged = withReceiptsThere(receipts, there ?? noReceipts, Date.parse(receipts.writtenAt));
  await target.putText(receiptsName, JSON.stringify(merged));
}

/** The receipts beside the backups; undefined if there is no such file. */
export async function receiptsOf(target: BackupTarget): Promise<Receipts | undefined> {
  const names = (await target.list("")).map(({ name }) => name);
  if (!names.includes(receiptsName)) return undefined;
  return parseReceipts(await readText(target, receiptsName), `${target.place}/${receiptsName}`);
}
