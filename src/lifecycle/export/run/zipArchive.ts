import { crc32 } from "node:zlib";
import { deflate, textLevel } from "./deflate.ts";

/** A file of an archive. */
export type ZipEntry = {
  readonly name: string;
  /** Whether its bytes become fewer; Parquet is compressed by itself. */
  readonly isDeflated: boolean;
  /** Read once, when its turn comes. */
  bytes(): AsyncIterable<Uint8Array>;
};

/** What the directory says of a file; sizes and place are bytes. */
type Packed = {
  readonly name: Buffer;
  readonly checksum: number;
  readonly size: number;
  readonly packedSize: number;
  readonly at: number;
};

/** Larger sizes and places are in fields of ZIP64. */
const largest = 0xffff_fffe;
const inZip64 = 0xffff_ffff;

/** Names are UTF-8; checksum and sizes follow the bytes. */
const flags = 0x0808;

/** The method of compression, deflate. Readers of streams, such as Java's, refuse others where the sizes follow the bytes. */
const method = 8;

/** The version of the format that a reader must know, 2.0 or 4.5. Files are made on Unix, so that `rights` are those there. */
const [version, zip64Version, madeOnUnix, rights] = [20, 45, 0x0300, 0o100644];

/**
 * The bytes of a ZIP archive (PKWARE's APPNOTE 6.3), with ZIP64 where a file or the archive is larger than 4 GiB. `modified` is the time of
 * its files, in UTC.
 *
 * The libraries compute checksums in JavaScript and deflate on one core, which takes too long (docs/develop/dependencies.md).
 */
export async function* zipArchive(entries: Iterable<ZipEntry>, modified: Date): AsyncGenerator<Uint8Array> {
  const time = dosTime(modified);
  const directory: Packed[] = [];
  let at = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    let [checksum, size, packedSize] = [0, 0, 0];
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const piece of entry.bytes()) {
        checksum = crc32(piece, checksum);
        size += piece.length;
        yield piece;
      }
    }
    const header = Buffer.concat([
      numbers([4, 0x04034b50], [2, version], [2, flags], [2, method], [4, time], [4, 0], [4, 0], [4, 0]),
      numbers([2, name.length], [2, 0]),
      name,
    ]);
    yield header;
    for await (const piece of deflate(counted(), entry.isDeflated ? textLevel : 0)) {
      packedSize += piece.length;
      yield piece;
    }
    const width = Math.max(size, packedSize) > largest ? 8 : 4;
    const sizes = numbers([4, 0x08074b50], [4, checksum], [width, packedSize], [width, size]);
    yield sizes;
    directory.push({ name, checksum, size, packedSize, at });
    at += header.length + packedSize + sizes.length;
  }
  const records = Buffer.concat(directory.map((packed) => directoryRecord(packed, time)));
  yield records;
  yield directoryEnd(directory.length, records.length, at);
}

function directoryRecord({ name, checksum, size, packedSize, at }: Packed, time: number): Buffer {
  const isLarge = Math.max(size, packedSize, at) > largest;
  const extra = isLarge ? numbers([2, 1], [2, 24], [8, size], [8, packedSize], [8, at]) : Buffer.alloc(0);
  const needed = isLarge ? zip64Version : version;
  const short = (value: number) => (isLarge ? inZip64 : value);
  return Buffer.concat([
    numbers([4, 0x02014b50], [2, madeOnUnix | needed], [2, needed], [2, flags], [2, method], [4, time], [4, checksum]),
    numbers([4, short(packedSize)], [4, short(size)], [2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0]),
    numbers([4, rights * 2 ** 16], [4, short(at)]),
    name,
    extra,
  ]);
}

function directoryEnd(count: number, size: number, at: number): Buffer {
  const isLarge = at > largest;
  return Buffer.concat([
    isLarge
      ? Buffer.concat([
          numbers([4, 0x06064b50], [8, 44], [2, madeOnUnix | zip64Version], [2, zip64Version], [4, 0], [4, 0]),
          numbers([8, count], [8, count], [8, size], [8, at]),
          numbers([4, 0x07064b50], [4, 0], [8, at + size], [4, 1]),
        ])
      : Buffer.alloc(0),
    numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, isLarge ? inZip64 : at], [2, 0]),
  ]);
}

/** Little-endian numbers, each with its width in bytes. */
function numbers(...fields: readonly (readonly [width: 2 | 4 | 8, value: number])[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
}

/** Two seconds precise, from 1980 on. */
function dosTime(date: Date): number {
  const day = (date.getUTCFullYear() - 1980) * 512 + (date.getUTCMonth() + 1) * 32 + date.getUTCDate();
  return day * 65_536 + date.getUTCHours() * 2_048 + date.getUTCMinutes() * 32 + (date.getUTCSeconds() >> 1);
}
