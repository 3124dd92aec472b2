type Named = { readonly name: string; readonly domain: string };

/** From so many websites on, a menu of them has a search. */
export const leastToSearch = 8;

/** The websites whose name or domain has a text in it. */
export function matchingWebsites<W extends Named>(websites: readonly W[], text: string): readonly W[] {
  const wanted = text.trim().toLowerCase();
  return websites.filter(({ name, domain }) => `${name}\n${domain}`.toLowerCase().includes(wanted));
}
