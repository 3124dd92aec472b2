import type { QuestdbReader, ReadOptions } from "../../../store/questdb/questdbReader.ts";
import type { ExportRow } from "../request/exportRow.ts";
import { datasetRange } from "./datasetRange.ts";
import { datasetsOf } from "./datasets.ts";
import { countRows } from "./readRows.ts";

type Asked = Pick<ExportRow, "websiteId" | "dataTypes" | "fromMs" | "toMs" | "startDate" | "endDate">;

/**
 * How many rows an export has in all its files, of those that can be read now. Rejects with SERVICE_UNAVAILABLE when
 * QuestDB is unavailable.
 */
export async function countExportRows(questdb: QuestdbReader, asked: Asked, options: ReadOptions): Promise<number> {
  const counts = await Promise.all(
    datasetsOf(asked.dataTypes).map((dataset) =>
      countRows(questdb, dataset, asked.websiteId, datasetRange(dataset, asked), options),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
