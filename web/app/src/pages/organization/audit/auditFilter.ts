/** What the address of the audit log filters by; "" is no filter. */
export type AuditFilter = { readonly website: string; readonly action: string; readonly object: string };
