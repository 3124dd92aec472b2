/** What a sheet is sorted by: the names, or a column by its id. */
export type Sorting = { readonly by: string; readonly isDescending: boolean };

/** What a click on a heading leads to: figures begin with the largest, names with A, and a second click turns the order. */
export function nextSorting(now: Sorting, by: string): Sorting {
  return now.by === by ? { by, isDescending: !now.isDescending } : { by, isDescending: by !== names };
}

export const names = "names";

type Readings<R> = {
  readonly label: (row: R) => string;
  /** The figure of a column; undefined for names. */
  readonly figure: ((row: R) => number | null) | undefined;
  readonly language: string;
};

/** Rows in a chosen order. Rows without a figure are last in either order, and equal rows keep their places. */
export function inOrder<R>(
  rows: readonly R[],
  { isDescending }: Sorting,
  { label, figure, language }: Readings<R>,
): R[] {
  const sign = isDescending ? -1 : 1;
  const byName = new Intl.Collator(language, { numeric: true });
  return rows.toSorted((one, other) => {
    if (figure === undefined) return sign * byName.compare(label(one), label(other));
    const [a, b] = [figure(one), figure(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (a - b);
  });
}

/** The rows whose name has a text in it, whatever its case. */
export function found<R>(rows: readonly R[], text: string, label: (row: R) => string): readonly R[] {
  const wanted = text.trim().toLocaleLowerCase();
  return wanted === "" ? rows : rows.filter((row) => label(row).toLocaleLowerCase().includes(wanted));
}

/** Rows on a page of a sheet. */
export const pageRows = 50;

/** A page of rows, from 0; the last one where there are fewer. */
export function pageOf<R>(rows: readonly R[], page: number) {
  const count = Math.max(1, Math.ceil(rows.length / pageRows));
  const shown = Math.min(page, count - 1);
  return { rows: rows.slice(shown * pageRows, (shown + 1) * pageRows), page: shown, count };
}
