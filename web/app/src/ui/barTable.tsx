import type { ComponentChildren } from "preact";
import { formatCount, formatShortCount } from "../texts/format.ts";

/** A column of numbers; the first one is drawn as a bar behind the rows. */
export type BarColumn<R> = {
  readonly name: string;
  readonly value: (row: R) => number;
  /** How it is written; a count unless given. */
  readonly format?: ((value: number) => string) | undefined;
};

type BarTableProps<R> = {
  readonly rows: readonly R[];
  /** What the rows are about. */
  readonly head: ComponentChildren;
  readonly columns: readonly BarColumn<R>[];
  readonly label: (row: R) => string;
  /** What tells rows apart. */
  readonly rowKey: (row: R) => string;
  /** Where a click on a row leads, and what that does. */
  readonly link?: (row: R, label: string) => { readonly href: string; readonly title: string } | undefined;
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
        {rows.map((row) => {
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
                  <a class="bar-label" href={to.href} data-keep-scroll title={to.title}>
                    {text}
                  </a>
                )}
              </th>
              {columns.map(({ name, value, format = formatShortCount }) => (
                <td key={name}>
                  <data value={value(row)} title={format === formatShortCount ? formatCount(value(row)) : undefined}>
                    {format(value(row))}
                  </data>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
