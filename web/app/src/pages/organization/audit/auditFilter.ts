/** The filters in the address of the audit log; "" is no filter. */
export type AuditFilter = { readonly website: string; readonly action: string; readonly object: string };
