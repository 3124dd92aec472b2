/** The search tree of a database of IPv4 addresses (MaxMind DB file format, section "Binary Search Tree"), with records of 28 bits. */
export type Ipv4Tree = { readonly bytes: Buffer; readonly nodeCount: number };

/**
 * The record of an address, which stands for its place: addresses of one place share it. Undefined where the tree has none. `address` is a
 * valid IPv4 address. The library's own walk takes four times as long, because it reads each record through a checked call.
 */
export function findRecord({ bytes, nodeCount }: Ipv4Tree, address: string): number | undefined {
  let rest = readIpv4(address);
  let node = 0;
  for (let bit = 0; bit < 32 && node < nodeCount; bit += 1) {
    const offset = node * nodeBytes;
    const middle = bytes[offset + 3] ?? 0;
    node =
      rest < 0
        ? ((middle & 0x0f) << 24) | threeBytes(bytes, offset + 4)
        : ((middle & 0xf0) << 20) | threeBytes(bytes, offset);
    rest <<= 1;
  }
  return node > nodeCount ? node : undefined;
}

/** Two records of 28 bits, left and right. */
const nodeBytes = 7;

function threeBytes(bytes: Buffer, offset: number): number {
  return ((bytes[offset] ?? 0) << 16) | ((bytes[offset + 1] ?? 0) << 8) | (bytes[offset + 2] ?? 0);
}

/** As 32 bits, the first of which is the sign. */
function readIpv4(address: string): number {
  let number = 0;
  let part = 0;
  for (let index = 0; index < address.length; index += 1) {
    const code = address.charCodeAt(index);
    if (code === dot) {
      number = (number << 8) | part;
      part = 0;
    } else part = part * 10 + code - zero;
  }
  return (number << 8) | part;
}

const dot = 46;
const zero = 48;
