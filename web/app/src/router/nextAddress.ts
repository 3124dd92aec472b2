/**
 * The path, query and fragment of `next` if it is a place of the app, otherwise the app's first page. A path that begins with two
 * slashes would name another host when used as an address.
 */
export function nextAddress(next: string, page: string, basePath: string): string {
  const address = URL.parse(next, page);
  if (address === null || address.origin !== new URL(page).origin) return basePath;
  const isOwn = address.pathname.startsWith(basePath) && !/^[/\\]{2}/.test(address.pathname);
  return isOwn ? address.pathname + address.search + address.hash : basePath;
}
