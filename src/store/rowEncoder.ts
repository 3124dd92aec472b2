import { setImmediate as nextTurn } from "node:timers/promises";
import { SenderBufferV2 } from "@questdb/nodejs-client";
import { type ColumnKind, columnsOfTable, type TableName, type TableRow } from "./tables.ts";

/**
 * Turns rows into QuestDB's line protocol, version 2 (doubles in binary).
 *
 * No value can spoil its flush: text is made well-formed and loses NUL, a number that its column cannot hold is left out.
 */
export class RowEncoder {
  // The client's own buffer rather than its Sender, which forgets the bytes when it sends them: a retry sends the same bytes again.
  readonly #buffer = new SenderBufferV2({ protocol: "http", protocol_version: "2", max_buf_size: maxBytes });

  /** Bytes of one flush. Gives way to other work every few milliseconds; one call at a time. Rejects when a row has no valid time. */
  async encode(rows: readonly TableRow[]): Promise<Buffer> {
    this.#buffer.reset();
    let turnEndsMs = performance.now() + turnMs;
    for (const row of rows) {
      this.#append(row);
      if (performance.now() > turnEndsMs) {
        await nextTurn();
        turnEndsMs = performance.now() + turnMs;
      }
    }
    return this.#buffer.toBufferNew();
  }

  #append(row: TableRow): void {
    const buffer = this.#buffer;
    const columns = writeOrder[row.table];
    // Which columns there are was checked where the row was made; here they are only walked through.
    const values: Readonly<Record<string, string | number | undefined>> = row.values;
    buffer.table(row.table);
    for (const { name, kind } of columns) {
      const value = values[name];
      if (value === undefined) continue;
      if (typeof value === "string") {
        const text = storableText(value);
        if (kind !== "SYMBOL") buffer.stringColumn(name, text);
        else if (text !== "") buffer.symbol(name, text);
      } else if (kind === "LONG" || kind === "INT") {
        if (fitsInteger(value, kind)) buffer.intColumn(name, value);
      } else if (Math.abs(value) <= greatestFloat) {
        buffer.floatColumn(name, value);
      }
    }
    buffer.at(Math.trunc(row.tsUs), "us");
  }
}

/** A row is bounded by the body limit of its request; the client's own bound of 100 MB would refuse a flush of the largest ones. */
const maxBytes = 1_073_741_824;

/** How long the event loop may be held. 1,000 rows take 60 to 100 ms. */
const turnMs = 5;

/** Beyond it a FLOAT is infinite. */
const greatestFloat = 3.402_823_466e38;

type WrittenColumn = { readonly name: string; readonly kind: ColumnKind };

const writeOrder: Readonly<Record<TableName, readonly WrittenColumn[]>> = {
  events: inWriteOrder("events"),
  outgoing_links: inWriteOrder("outgoing_links"),
  performance_metrics: inWriteOrder("performance_metrics"),
  daily_aggregates: inWriteOrder("daily_aggregates"),
};

/** The line protocol wants symbols before all other columns; the time comes last and apart. */
function inWriteOrder(table: TableName): WrittenColumn[] {
  const columns = Object.entries(columnsOfTable[table]).map(([name, kind]): WrittenColumn => ({ name, kind }));
  return [
    ...columns.filter(({ kind }) => kind === "SYMBOL"),
    ...columns.filter(({ name, kind }) => kind !== "SYMBOL" && name !== "ts"),
  ];
}

function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole;
}

function fitsInteger(value: number, kind: "LONG" | "INT"): boolean {
  return kind === "LONG" ? Number.isSafeInteger(value) : Number.isInteger(value) && Math.abs(value) <= 0x7fff_ffff;
}
