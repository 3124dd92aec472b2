import { nextSlice, sliceIsOver } from "../concurrency/timeSlices.ts";
import { locationRecords, withoutDistrict } from "./location.ts";

/**
 * The names of regions and cities that servers may state: those that looking an address up can give as well. A stored
 * name is never erased from its column's dictionary, so no text of a sender may become one.
 *
 * 120,000 names in about 15 MB, which only a process has that gets such events.
 */
let names: ReadonlySet<string> | undefined;
let reading: Promise<ReadonlySet<string>> | undefined;

/**
 * Reads the names when the first events state a place, in slices: about a second of processor time. Validating events
 * does not wait, so this comes before.
 */
export async function readPlaceNamesFor(events: readonly (StatedPlace | undefined)[]): Promise<void> {
  if (names !== undefined || !events.some((event) => event?.region || event?.city)) return;
  reading ??= readTexts(locationRecords());
  names = await reading;
}

type StatedPlace = { readonly region?: string | undefined; readonly city?: string | undefined };

/** Whether the location database has this name. None is known before `readPlaceNamesFor`. */
export function isPlaceName(text: string): boolean {
  return names?.has(text) ?? false;
}

/** Types of the MaxMind DB file format 2.0. */
const types = { extended: 0, pointer: 1, text: 2, map: 7, array: 11, boolean: 14 };

/**
 * Every text in the records. Which of them are names need not be known: there is no end of the names that a sender may
 * invent, but one of the texts in a file.
 */
async function readTexts(bytes: Buffer): Promise<Set<string>> {
  const texts = new Set<string>();
  for (let at = 0; at < bytes.length; ) {
    const control = bytes.readUInt8(at++);
    let type = control >> 5;
    if (type === types.pointer) {
      at += 1 + ((control >> 3) & 3);
      continue;
    }
    if (type === types.extended) type = bytes.readUInt8(at++) + 7;
    let size = control & 31;
    if (size > 28) {
      const sizeBytes = size - 28;
      size = bytes.readUIntBE(at, sizeBytes) + ([29, 285, 65_821][sizeBytes - 1] ?? 0);
      at += sizeBytes;
    }
    // What maps and lists hold follows as values of its own; a boolean is its own size.
    if (type === types.map || type === types.array || type === types.boolean) continue;
    if (type === types.text && !isDigit(bytes[at]))
      texts.add(withoutDistrict(bytes.toString("utf8", at, at + size)) ?? "");
    at += size;
    if (type === types.text && sliceIsOver()) await nextSlice();
  }
  return texts;
}

/** Postcodes, which are most of the texts. */
function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
