import type { QueryTypeName } from "../../../../../../packages/client-js/src/query.ts";
import type { Rows } from "../../../../../../packages/client-js/src/rows.ts";
import type { AnswerState } from "../../../api/useAnswer.ts";
import { formatCount } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { ChangeText } from "../figures/changeText.tsx";
import { comparedTime } from "../figures/comparedTime.ts";
import type { PanelList } from "./panelTypes.ts";

/** How the first figure of a row has changed; undefined if the two periods must not be compared. */
export function rowChange(
  { columns: [column], moreIs = "better" }: PanelList,
  comparison: AnswerState<Row>["comparison"],
  order: Order,
  zone: string,
) {
  if (column === undefined || comparison?.isComplete !== true) return undefined;
  const time = comparedTime(comparison, zone, t());
  const before = inOrder(comparison.data, order);
  return (row: Row, index: number) => (
    <ChangeText
      value={column.value(row)}
      before={column.value(before[index] as Row)}
      format={formatCount}
      moreIs={moreIs}
      time={time}
    />
  );
}

/** Rows in the given order; unchanged without one. */
export function inOrder<R>(rows: readonly R[], order: Order): readonly R[] {
  return order === undefined ? rows : order.flatMap((place) => rows.slice(place, place + 1));
}

/** Indexes of rows; undefined for the service's order. */
type Order = readonly number[] | undefined;

type Row = Rows[QueryTypeName];
