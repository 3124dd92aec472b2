/** An address as people say it: without scheme, query and a slash at its end. */
export function shownAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return host + pathname.replace(/\/$/, "");
}
