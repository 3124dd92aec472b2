/** A URL as operators, receivers of messages and the audit log may see it: its query and a user name are often secrets. */
export function urlWithoutSecrets(url: string): string {
  const shown = new URL(url);
  shown.search = "";
  shown.username = "";
  shown.password = "";
  return shown.href;
}
