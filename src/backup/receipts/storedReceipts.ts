import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BackupTarget, readText } from "../target/backupTarget.ts";
import { noReceipts, parseReceipts, type Receipts, receiptsName } from "./receipts.ts";

/** Puts the receipts beside the backups, in place of those that were there. */
export async function writeReceipts(target: BackupTarget, receipts: Receipts): Promise<void> {
  await mkdir(target.staging, { recursive: true, mode: 0o700 });
  const staged = join(target.staging, randomUUID());
  try {
    await writeFile(staged, JSON.stringify(receipts), { mode: 0o600, flush: true });
    await target.put(receiptsName, staged);
  } finally {
    await rm(staged, { force: true });
  }
}

/** The receipts beside the backups; none if there is no such file. */
export async function receiptsOf(target: BackupTarget): Promise<Receipts> {
  const names = (await target.list("")).map(({ name }) => name);
  if (!names.includes(receiptsName)) return noReceipts;
  return parseReceipts(await readText(target, receiptsName), `${target.place}/${receiptsName}`);
}
