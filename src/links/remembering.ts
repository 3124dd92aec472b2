type Read = (text: string) => string | undefined;

/** Reads a header, and answers from memory what it has read of late: of many headers a few values are most. */
export function remembering(read: Read): (header: string | undefined) => string | undefined {
  const known = new Map<string, string>();
  return (header) => {
    if (header === undefined) return undefined;
    const before = known.get(header);
    if (before !== undefined) return before;
    const value = read(header);
    if (value === undefined || header.length > maxLength) return value;
    if (known.size >= maxKnown) known.clear();
    known.set(header, value);
    return value;
  };
}

/** With those bounds at most 128 kB a header. */
const maxKnown = 1_000;
const maxLength = 64;
