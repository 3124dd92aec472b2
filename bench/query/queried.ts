/** The generated events are of these days, in UTC. */
export const firstMs = Date.UTC(2026, 5, 1);
export const days = 30;

/** Indexes of the queried websites, by size. */
export const places = { big: 1, middling: 20, tiny: 200 } as const;
export type Place = readonly [size: string, place: number];

export function dayOf(day: number): string {
  return new Date(firstMs + day * 86_400_000).toISOString().slice(0, 10);
}
