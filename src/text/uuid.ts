const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id as it is stored: UUIDs are read in upper and lower case and written in lower case (RFC 9562, section 4). */
export function storedId(id: string): string {
  return uuid.test(id) ? id.toLowerCase() : id;
}
