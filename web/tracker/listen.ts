type Events = WindowEventMap & Pick<DocumentEventMap, "visibilitychange">;

/** Listens on the whole page, before the page's own listeners, which may stop events. */
export function listen<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): void {
  addEventListener(name, listener as (event: Event) => void, true);
}
