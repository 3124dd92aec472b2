import { query } from "../../../../api/client.ts";
import { failedAnswer } from "../../../../api/failedAnswer.ts";
import { daysOf } from "../../../../figures/days.ts";
import type { DashboardContext } from "../../context.ts";
import { listQuestion } from "../listQuestion.ts";
import type { PanelList } from "../panelTypes.ts";
import { csvOf } from "./csv.ts";
import { csvTable } from "./csvRows.ts";

/** The service's limit of rows of an answer. */
const mostRows = 10_000;

/** Has the browser save all rows of a list. Rejects with a LookoutError when the service refuses. */
export async function downloadCsv(list: PanelList, dashboard: DashboardContext): Promise<void> {
  const { compare: _, ...question } = listQuestion(list, dashboard, mostRows);
  const all: object[] = [];
  for (let page = 1; ; page++) {
    const { data } = await query({ ...question, page });
    const [answer] = data;
    if (answer?.success !== true) throw failedAnswer(answer);
    all.push(...answer.data);
    if (answer.data.length < mostRows) break;
  }
  const { header, rows } = csvTable(list, all, dashboard.goal !== undefined);
  const { first, last } = daysOf(dashboard.view.range, dashboard.now.day);
  save(csvOf(header, rows), `${list.type}-${first}-${last}.csv`);
}

function save(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
