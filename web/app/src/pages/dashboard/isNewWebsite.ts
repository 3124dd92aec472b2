/** A website that was made this long ago mostly has events. */
const newForMs = 86_400_000;

/** Whether a website is so new that it mostly has no event yet. */
export function isNewWebsite({ createdAt }: { readonly createdAt: string }, nowMs: number): boolean {
  return nowMs - Date.parse(createdAt) < newForMs;
}
