/**
 * An address as it came in a header or a request line, with the bytes beyond ASCII percent-encoded. Node reads each of them as one
 * character; encoded like this UTF-8 stays UTF-8, which is how browsers send them on.
 */
export function encodedBytes(address: string): string {
  return address.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
