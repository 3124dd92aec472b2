/** A monitor that a status page can show. */
export type NamedMonitor = { readonly id: string; readonly name: string };
