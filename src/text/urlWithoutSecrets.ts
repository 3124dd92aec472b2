/** A URL for operators, notifications and the audit log: without its query and user name, which are often secrets. */
export function urlWithoutSecrets(url: string): string {
  const shown = new URL(url);
  shown.search = "";
  shown.username = "";
  shown.password = "";
  return shown.href;
}
