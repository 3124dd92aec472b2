/** The tile that an arrow key moves to, in rows of `columns`; undefined for other keys and at an edge. */
export function nextTile(key: string, index: number, columns: number, count: number): number | undefined {
  const to = { ArrowRight: index + 1, ArrowLeft: index - 1, ArrowDown: index + columns, ArrowUp: index - columns }[key];
  return to === undefined || to < 0 || to >= count ? undefined : to;
}
