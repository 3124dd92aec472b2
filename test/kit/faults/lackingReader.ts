import {
  type BoundValue,
  QuestdbReader,
  type ReadOptions,
  type Row,
} from "../../../src/store/questdb/questdbReader.ts";

/** Events of session keys from this one on are lacking from reads, as after a fault of QuestDB. */
export class LackingReader extends QuestdbReader {
  lacksKeysFrom: number | undefined;

  override async read(sql: string, values: readonly BoundValue[], options: ReadOptions = {}): Promise<Row[]> {
    const lacks = this.lacksKeysFrom !== undefined && options.isCheck !== true;
    const asked = lacks
      ? sql.replaceAll("FROM events WHERE", `FROM events WHERE session_key < ${this.lacksKeysFrom} AND`)
      : sql;
    return await super.read(asked, values, options);
  }
}
