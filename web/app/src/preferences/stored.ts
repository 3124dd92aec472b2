/** A choice that this browser remembers. Browsers may refuse to store; then a choice lasts as long as the page. */
export function readStored(name: string): string | undefined {
  try {
    return localStorage.getItem(`lookout.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a choice; undefined deletes it. */
export function writeStored(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`lookout.${name}`);
    else localStorage.setItem(`lookout.${name}`, value);
  } catch {
    // The choice lasts as long as the page.
  }
}
