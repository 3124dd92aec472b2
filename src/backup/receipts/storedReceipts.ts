import { type BackupTarget, readText } from "../target/backupTarget.ts";
import { noReceipts, parseReceipts, type Receipts, receiptsName } from "./receipts.ts";

/** Puts the receipts beside the backups, in place of those that were there. */
export async function writeReceipts(target: BackupTarget, receipts: Receipts): Promise<void> {
  await target.putText(receiptsName, JSON.stringify(receipts));
}

/** The receipts beside the backups; none if there is no such file. */
export async function receiptsOf(target: BackupTarget): Promise<Receipts> {
  const names = (await target.list("")).map(({ name }) => name);
  if (!names.includes(receiptsName)) return noReceipts;
  return parseReceipts(await readText(target, receiptsName), `${target.place}/${receiptsName}`);
}
