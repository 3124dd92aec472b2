import type { NewRecord } from "./durableLog.ts";
import { maxRecordBytes, writeRecord } from "./record.ts";

/**
 * Records for the next write of a log, encoded one after the other into memory that the write after it uses again. A buffer for
 * each record, and one more for all of a write, took a tenth of a redirect's time.
 */
export class RecordBuffer {
  #bytes = Buffer.allocUnsafe(keptBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(record: NewRecord): void {
    const neededBytes = this.#length + maxRecordBytes(record);
    if (neededBytes > this.#bytes.length) this.#grow(neededBytes);
    this.#length = writeRecord(this.#bytes, this.#length, record);
  }

  /** Removes what was added after the buffer had this length. */
  cut(length: number): void {
    this.#length = length;
  }

  /** All records. The bytes are valid until the next `add`. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    // Memory for a burst is not kept.
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafe(keptBytes);
    return taken;
  }

  #grow(neededBytes: number): void {
    const larger = Buffer.allocUnsafe(Math.max(neededBytes, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const keptBytes = 262_144;
