import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import type { KeyedRow } from "../../store/questdb/keyedRow.ts";

/** A row of the log and when it was received, Unix ms. */
export type ReceivedRow<Row extends KeyedRow> = { readonly row: Row; readonly receivedMs: number };

/** The first event with an id: its time, and when it was received (Unix ms). */
type Claim = { readonly tsUs: number; readonly receivedMs: number };

type Database = ClassicLevel<Buffer, Buffer>;

/** The ids received in half a day. */
type Bucket = { readonly startMs: number; readonly database: Database };

/**
 * Fixes the time of each event with an id. The time of the first one in the log holds for 24 hours, so that a repeated event
 * becomes the same row. All replicas read the same log and decide alike. With one QuestDB, PostgreSQL does this (EventClaims).
 * Here it is an embedded store beside the consumer, which can be rebuilt from the log.
 *
 * The ids of half a day have a database of their own, which is deleted as a whole.
 */
export class EventIds {
  readonly #directory: string;
  /** Newest first. */
  #buckets: Bucket[];

  static async open(directory: string): Promise<EventIds> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const starts = (await readdir(directory)).map(Number).filter((startMs) => Number.isSafeInteger(startMs));
    const buckets: Bucket[] = [];
    for (const startMs of starts.sort((a, b) => b - a))
      buckets.push({ startMs, database: await openDatabase(directory, startMs) });
    return new EventIds(directory, buckets);
  }

  private constructor(directory: string, buckets: Bucket[]) {
    this.#directory = directory;
    this.#buckets = buckets;
  }

  /**
   * Returns the rows in the same order with the times that hold. A repeated row also gets the time at which the first was
   * received, so that an erasure filters both. Safe to repeat for the same rows.
   */
  async claim<Row extends KeyedRow>(received: readonly ReceivedRow<Row>[]): Promise<ReceivedRow<Row>[]> {
    const ids = received.map(({ row }) => idOf(row));
    const known = await this.#find(ids);
    const fresh = new Map<Bucket, { type: "put"; key: Buffer; value: Buffer }[]>();
    const claimed: ReceivedRow<Row>[] = [];
    for (const [index, each] of received.entries()) {
      const id = ids[index];
      if (id === undefined) {
        claimed.push(each);
        continue;
      }
      const { row, receivedMs } = each;
      const claims = known.get(id) ?? [];
      const first = valid(claims, receivedMs);
      if (first === undefined) {
        const claim = { tsUs: row.tsUs, receivedMs };
        known.set(id, [claim, ...claims]);
        const bucket = await this.#bucketOf(receivedMs);
        const puts = fresh.get(bucket) ?? [];
        puts.push({ type: "put", key: Buffer.from(id, "latin1"), value: encode(claim) });
        fresh.set(bucket, puts);
        claimed.push(each);
      } else
        claimed.push({
          row: first.tsUs === row.tsUs ? row : { ...row, tsUs: first.tsUs },
          receivedMs: Math.min(receivedMs, first.receivedMs),
        });
    }
    for (const [{ database }, puts] of fresh) await database.batch(puts);
    await this.#dropOld(received);
    return claimed;
  }

  /** Forces the claims to disk. */
  async flush(): Promise<void> {
    const [newest] = this.#buckets;
    await newest?.database.batch([{ type: "put", key: flushKey, value: Buffer.alloc(0) }], { sync: true });
  }

  /** Forgets all ids. */
  async clear(): Promise<void> {
    for (const bucket of this.#buckets.splice(0)) await this.#remove(bucket);
  }

  async close(): Promise<void> {
    await Promise.all(this.#buckets.map(({ database }) => database.close()));
  }

  /** The claims of all ids of rows, newest bucket first. */
  async #find(idsOfRows: readonly (string | undefined)[]): Promise<Map<string, readonly Claim[]>> {
    const known = new Map<string, readonly Claim[]>();
    const ids = [...new Set(idsOfRows.filter((id) => id !== undefined))];
    if (ids.length === 0) return known;
    const keys = ids.map((id) => Buffer.from(id, "latin1"));
    for (const { database } of this.#buckets) {
      const values = await database.getMany(keys);
      for (const [index, value] of values.entries()) {
        const id = ids[index];
        if (value === undefined || id === undefined) continue;
        known.set(id, [...(known.get(id) ?? []), decode(value)]);
      }
    }
    return known;
  }

  async #bucketOf(receivedMs: number): Promise<Bucket> {
    const startMs = Math.floor(receivedMs / bucketMs) * bucketMs;
    const found = this.#buckets.find((bucket) => bucket.startMs === startMs);
    if (found !== undefined) return found;
    const bucket = { startMs, database: await openDatabase(this.#directory, startMs) };
    this.#buckets = [...this.#buckets, bucket].sort((a, b) => b.startMs - a.startMs);
    return bucket;
  }

  /** By the times in the log, not by the clock: every consumer of the log drops the same ids, whenever it reads them. */
  async #dropOld(received: readonly ReceivedRow<KeyedRow>[]): Promise<void> {
    const newestMs = received.reduce((newest, { receivedMs }) => Math.max(newest, receivedMs), 0);
    const isOld = ({ startMs }: Bucket) => startMs + bucketMs + keptMs < newestMs;
    const old = this.#buckets.filter(isOld);
    if (old.length === 0) return;
    this.#buckets = this.#buckets.filter((bucket) => !isOld(bucket));
    for (const bucket of old) await this.#remove(bucket);
  }

  async #remove({ startMs, database }: Bucket): Promise<void> {
    await database.close();
    await rm(join(this.#directory, String(startMs)), { recursive: true, force: true });
  }
}

async function openDatabase(directory: string, startMs: number): Promise<Database> {
  const database = new ClassicLevel<Buffer, Buffer>(join(directory, String(startMs)), {
    keyEncoding: "buffer",
    valueEncoding: "buffer",
  });
  // Ids are random: compression takes a quarter of the processor time and saves nothing.
  await database.open({ compression: false });
  return database;
}

/** An event as 12 bytes, shared by all of its rows; undefined for one without an id. */
function idOf({ claimCheck, values }: KeyedRow): string | undefined {
  if (claimCheck === undefined) return undefined;
  const bytes = Buffer.allocUnsafe(12);
  bytes.writeDoubleBE(values.event_key ?? 0);
  bytes.writeInt32BE(claimCheck, 8);
  return bytes.toString("latin1");
}

/** The claim that holds for a row: the last one of the 24 hours before it, otherwise one received a little later. */
function valid(claims: readonly Claim[], receivedMs: number): Claim | undefined {
  const near = claims.filter((claim) => Math.abs(receivedMs - claim.receivedMs) < holdsMs);
  const before = near.filter((claim) => claim.receivedMs <= receivedMs);
  const [first, ...others] = before.length > 0 ? before : near;
  return others.reduce((last, claim) => (claim.receivedMs > (last?.receivedMs ?? 0) ? claim : last), first);
}

function encode({ tsUs, receivedMs }: Claim): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeDoubleLE(tsUs);
  bytes.writeDoubleLE(receivedMs, 8);
  return bytes;
}

function decode(bytes: Buffer): Claim {
  return { tsUs: bytes.readDoubleLE(), receivedMs: bytes.readDoubleLE(8) };
}

const hourMs = 3_600_000;
const holdsMs = 24 * hourMs;
const bucketMs = 12 * hourMs;
/** Longer than 24 hours, since clocks of processes differ and rows may have waited in a process. */
const keptMs = 36 * hourMs;

/** Never an id: ids have 12 bytes. */
const flushKey = Buffer.from("flush");
