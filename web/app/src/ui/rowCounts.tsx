import { formatCount } from "../texts/format.ts";
import { allTexts } from "../texts/settings/settingsTexts.ts";

type RowCountsProps = {
  readonly label: string;
  /** Rows by kind of data, as the service names it. */
  readonly rows: Readonly<Record<string, number>>;
};

/** How many rows there are of each kind of data. */
export function RowCounts({ label, rows }: RowCountsProps) {
  const { kinds, kindOfData, rowsName } = allTexts().settings;
  return (
    <table class="counts">
      <caption class="said">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{kindOfData}</th>
          <th scope="col">{rowsName}</th>
        </tr>
      </thead>
      <tbody>
        {inOrder(Object.keys(kinds), rows).map(([kind, count]) => (
          <tr key={kind} data-kind={kind}>
            <th scope="row">{kindName(kinds, kind)}</th>
            <td>
              <data value={count}>{formatCount(count)}</data>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Answers have the kinds in any order. */
function inOrder(order: readonly string[], rows: Readonly<Record<string, number>>): [kind: string, count: number][] {
  const placeOf = (kind: string): number => (order.includes(kind) ? order.indexOf(kind) : order.length);
  return Object.entries(rows).sort(([one], [other]) => placeOf(one) - placeOf(other));
}

/** The name of a kind of data in the current language; an unknown kind keeps its own name. */
export function kindName(kinds: Readonly<Record<string, string>>, kind: string): string {
  return kinds[kind] ?? kind;
}
