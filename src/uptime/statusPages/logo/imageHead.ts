/** What the first bytes of a picture tell. */
export type ImageHead = { readonly type: ImageType; readonly width: number; readonly height: number };

export type ImageType = "png" | "jpeg" | "webp";

/** The type and size that a picture claims; undefined for anything else. Nothing is unpacked for it. */
export function imageHead(bytes: Buffer): ImageHead | undefined {
  return pngHead(bytes) ?? jpegHead(bytes) ?? webpHead(bytes);
}

/** SVG is text, and may hold scripts and addresses of others. */
export function looksLikeSvg(bytes: Buffer): boolean {
  return /^(?:\ufeff)?\s*<(?:\?xml|!doctype svg|!--|svg)/i.test(bytes.toString("utf8", 0, 200));
}

const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");

/** PNG, third edition, 5.2 and 11.2.1. */
function pngHead(bytes: Buffer): ImageHead | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngSignature)) return undefined;
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { type: "png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Markers that begin a frame, ITU T.81, table B.1: SOF0 to SOF15 without DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function jpegHead(bytes: Buffer): ImageHead | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // A marker may be filled up with 0xff.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return { type: "jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** RFC 9649, section 2. */
function webpHead(bytes: Buffer): ImageHead | undefined {
  if (bytes.length < 30 || bytes.toString("latin1", 0, 4) !== "RIFF") return undefined;
  switch (bytes.toString("latin1", 8, 16)) {
    case "WEBPVP8X":
      return { type: "webp", width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "WEBPVP8L": {
      const bits = bytes.readUInt32LE(21);
      return { type: "webp", width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "WEBPVP8 ":
      return { type: "webp", width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}
