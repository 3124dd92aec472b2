import { inflateRawSync } from "node:zlib";

/** Files of a ZIP archive by name, read as APPNOTE.TXT describes it. Checks each size. */
export function readArchive(archive: Buffer): ReadonlyMap<string, Buffer> {
  const endAt = archive.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  if (endAt < 0) throw new Error("This is no ZIP archive");
  const count = archive.readUInt16LE(endAt + 10);
  let at = archive.readUInt32LE(endAt + 16);
  const files = new Map<string, Buffer>();
  for (let index = 0; index < count; index += 1) {
    const method = archive.readUInt16LE(at + 10);
    const packed = archive.readUInt32LE(at + 20);
    const size = archive.readUInt32LE(at + 24);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const name = archive.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    const headerAt = archive.readUInt32LE(at + 42);
    const dataAt = headerAt + 30 + archive.readUInt16LE(headerAt + 26) + archive.readUInt16LE(headerAt + 28);
    const data = archive.subarray(dataAt, dataAt + packed);
    const bytes = method === 0 ? data : inflateRawSync(data);
    if (bytes.length !== size) throw new Error(`${name} has ${bytes.length} bytes and should have ${size}`);
    files.set(name, bytes);
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
}
