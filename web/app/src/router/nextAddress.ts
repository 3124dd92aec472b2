/**
 * The path with query and fragment of what `next` names, if that is a place of the app, else the app's first page. A path that begins with
 * two slashes names another host wherever it is used as an address.
 */
export function nextAddress(next: string, page: string, basePath: string): string {
  const address = URL.parse(next, page);
  if (address === null || address.origin !== new URL(page).origin) return basePath;
  const isOwn = address.pathname.startsWith(basePath) && !/^[/\\]{2}/.test(address.pathname);
  return isOwn ? address.pathname + address.search + address.hash : basePath;
}
