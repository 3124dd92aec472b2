import type { ComponentChildren } from "preact";
import { formatCount, formatShortCount } from "../texts/format.ts";
import { NoValue } from "./noValue.tsx";

/** A column of numbers; the first one is drawn as a bar behind the rows. */
export type BarColumn<R> = {
  readonly name: string;
  /** Null if nothing was measured. */
  readonly value: (row: R) => number | null;
  /** The number's format; a count unless given. */
  readonly format?: ((value: number) => string) | undefined;
  /** Replaces the number in the cell, if it is more than a number. */
  readonly cell?: (row: R) => ComponentChildren;
  /** Shown beside the figure, such as its change. */
  readonly note?: ((row: R, index: number) => ComponentChildren) | undefined;
};

export type BarLink = {
  readonly href: string;
  readonly title: string;
  /** Whether the row is the chosen one. */
  readonly isCurrent?: boolean;
};

type BarTableProps<R> = {
  readonly rows: readonly R[];
  /** The heading of the labels. */
  readonly head: ComponentChildren;
  readonly columns: readonly BarColumn<R>[];
  readonly label: (row: R) => string;
  /** A key that is unique among the rows. */
  readonly rowKey: (row: R) => string;
  /** The target of a click on a row, and what that does. */
  readonly link?: ((row: R, label: string) => BarLink | undefined) | undefined;
};

/** Rows with a label and numbers, and a bar behind each as long as its first number. */
export function BarTable<R>({ rows, head, columns, label, rowKey, link }: BarTableProps<R>) {
  const [first] = columns;
  const largest = Math.max(0, ...rows.map((row) => first?.value(row) ?? 0)) || 1;
  return (
    <table class="bars">
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const text = label(row);
          const to = link?.(row, text);
          return (
            <tr key={rowKey(row)} style={{ "--share": String((first?.value(row) ?? 0) / largest) }}>
              <th scope="row">
                {to === undefined ? (
                  <span class="bar-label" title={text}>
                    {text}
                  </span>
                ) : (
                  <a
                    class="bar-label"
                    href={to.href}
                    data-keep-scroll
                    title={to.title}
                    aria-current={to.isCurrent === true ? "true" : undefined}
                  >
                    {text}
                  </a>
                )}
              </th>
              {columns.map(({ name, value, format = formatShortCount, cell, note }) => (
                <td key={name}>
                  {cell === undefined ? <Figure value={value(row)} format={format} /> : cell(row)}
                  {note !== undefined && <span class="bar-note">{note(row, index)}</span>}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type FigureProps = { readonly value: number | null; readonly format: (value: number) => string };

function Figure({ value, format }: FigureProps) {
  if (value === null) return <NoValue />;
  return (
    <data value={value} title={format === formatShortCount ? formatCount(value) : undefined}>
      {format(value)}
    </data>
  );
}
