import type { ComponentChildren } from "preact";
import { formatCount, formatShortCount } from "../texts/format.ts";
import { Icon } from "./icons/icon.tsx";
import type { IconName } from "./icons/iconOf.ts";
import { NoValue } from "./noValue.tsx";
import "../styles/rows.css";

/** A column of figures. */
export type BarColumn<R> = {
  readonly name: string;
  /** Replaces the name in the head. */
  readonly heading?: ComponentChildren;
  /** Null if nothing was measured. */
  readonly value: (row: R) => number | null;
  /** The number's format; a count unless given. */
  readonly format?: ((value: number) => string) | undefined;
  /** Replaces the number in the cell, if it is more than a number. */
  readonly cell?: (row: R) => ComponentChildren;
  /** Shown beside the figure, such as its change. */
  readonly note?: ((row: R, index: number) => ComponentChildren) | undefined;
  /** How loud it is, and what there is no room for on a phone. */
  readonly look?: "quiet" | "strong" | "change";
  readonly isWide?: boolean;
  readonly sorted?: "ascending" | "descending" | undefined;
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
  readonly headSorted?: "ascending" | "descending" | undefined;
  readonly columns: readonly BarColumn<R>[];
  readonly label: (row: R) => string;
  readonly icon?: ((row: R) => IconName | undefined) | undefined;
  /** A key that is unique among the rows. */
  readonly rowKey: (row: R) => string;
  /** The figure that the bars draw; the one of the first column unless given. */
  readonly bar?: (row: R) => number | null;
  /** The figure of a bar of full length; the largest one of the rows unless given. */
  readonly longestBar?: number;
  /** The target of a click on a row, and what that does. */
  readonly link?: ((row: R, label: string) => BarLink | undefined) | undefined;
};

/** Rows with an icon, a name and figures, and a bar behind each name. */
export function BarTable<R>(props: BarTableProps<R>) {
  const { rows, head, headSorted, columns, label, icon, rowKey, link } = props;
  const bar = props.bar ?? columns[0]?.value ?? (() => null);
  const longest = props.longestBar ?? (Math.max(0, ...rows.map((row) => bar(row) ?? 0)) || 1);
  return (
    <table class="bars">
      <thead>
        <tr>
          <th scope="col" aria-sort={headSorted}>
            {head}
          </th>
          {columns.map(({ name, heading, look, sorted, isWide }) => (
            <th key={name} scope="col" data-look={look} data-wide={isWide} aria-sort={sorted}>
              {heading ?? name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const text = label(row);
          const to = link?.(row, text);
          const shown = icon?.(row);
          return (
            <tr key={rowKey(row)} style={{ "--share": String((bar(row) ?? 0) / longest) }}>
              <th scope="row">
                <span class="bar-name">
                  {shown !== undefined && <Icon icon={shown} />}
                  <Label text={text} to={to} />
                </span>
              </th>
              {columns.map(({ name, value, format = formatShortCount, cell, note, look, isWide }) => (
                <td key={name} data-look={look} data-wide={isWide}>
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

function Label({ text, to }: { readonly text: string; readonly to: BarLink | undefined }) {
  if (to === undefined)
    return (
      <span class="bar-label" title={text}>
        {text}
      </span>
    );
  return (
    <a
      class="bar-label"
      href={to.href}
      data-keep-scroll
      title={to.title}
      aria-current={to.isCurrent === true ? "true" : undefined}
    >
      {text}
    </a>
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
