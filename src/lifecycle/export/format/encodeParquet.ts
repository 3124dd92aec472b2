import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import type { Column, ColumnKind } from "../dataset.ts";
import type { CsvScanner } from "./csvScanner.ts";

const encoder = fileURLToPath(new URL("./parquetEncoder.ts", import.meta.url));

/** DuckDB opens its input and output by name, which pipes allow and the sockets that Node makes for children do not. */
const throughPipes = 'cat | "$0" "$1" "$2" | cat';

/** Parquet files begin with these bytes, and end with their footer, its length and the same (parquet-format, "File format"). */
const magic = "PAR1";
const trailerBytes = 4 + magic.length;

/** More than the footer of any part: it has about 5 kB for each row group. */
const maxFooterBytes = 4_194_304;

/** Larger ones make files 1 % smaller and take more memory. */
const rowGroupRows = 40_960;

/** DuckDB holds a row group in memory, and 40,960 rows with large properties have more than a gigabyte. */
const rowGroupBytes = 32_000_000;

/**
 * Encodes the rows of a part with DuckDB: yields the bytes of its row groups, and `onEnd` gets the footer.
 *
 * DuckDB has a process of its own: it takes up to 200 MB, which the system has back afterwards, and a crash of its native code
 * fails this part and not the worker. When this process dies, the input ends, and with it the other process.
 */
export async function* encodeParquet(
  columns: readonly Column[],
  rows: AsyncIterable<CsvScanner>,
  onEnd: (end: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const scanned = rows[Symbol.asyncIterator]();
  let next = await scanned.next();
  if (next.done === true) return onEnd(new Uint8Array());
  let failure: unknown;
  async function* input(): AsyncGenerator<Uint8Array> {
    try {
      // A copy, since the scanner uses its bytes again.
      for (; next.done !== true; next = await scanned.next())
        yield Buffer.from(next.value.bytes.subarray(0, next.value.end));
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const child = spawn("sh", ["-c", throughPipes, process.execPath, encoder, statement(columns)], {
    env: { PATH: process.env["PATH"] },
  });
  const complaint = text(child.stderr);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      failure = error;
      resolve();
    });
  });
  // It fails as well if the process ends early, which is seen at the output.
  const fed = pipeline(input, child.stdin).catch(() => undefined);
  try {
    const end = yield* withoutFooter(child.stdout);
    await fed;
    if (failure !== undefined) throw failure;
    if (end === undefined) throw new Error(`DuckDB could not encode rows: ${await complaint}`);
    onEnd(end);
  } finally {
    child.stdin.destroy();
    child.stdout.destroy();
    // Nobody would ask the system for its end after the end of this thread, and it would be listed for ever.
    await exited;
  }
}

/** Yields a Parquet file without its magic bytes and footer, and returns the footer with its trailer; undefined if it has none. */
async function* withoutFooter(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, Uint8Array | undefined> {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let isBegun = false;
  for await (const piece of file) {
    kept.push(piece);
    keptBytes += piece.length;
    for (let [first] = kept; first !== undefined && keptBytes - first.length > maxFooterBytes; [first] = kept) {
      kept.shift();
      keptBytes -= first.length;
      yield isBegun ? first : first.subarray(magic.length);
      isBegun = true;
    }
  }
  const rest = Buffer.concat(kept);
  if (rest.toString("latin1", rest.length - magic.length) !== magic || rest.length < trailerBytes) return undefined;
  const footerAt = rest.length - trailerBytes - rest.readUInt32LE(rest.length - trailerBytes);
  if (footerAt < 0) throw new Error(`the footer of a part has more than ${maxFooterBytes} bytes`);
  yield rest.subarray(isBegun ? 0 : magic.length, footerAt);
  return rest.subarray(footerAt);
}

/** DuckDB sees physical types only; the footer of the whole file says what they mean. */
const physical: Readonly<Record<ColumnKind, string>> = {
  text: "VARCHAR",
  timestamp: "BIGINT",
  date: "BIGINT",
  integer: "BIGINT",
  number: "DOUBLE",
  json: "VARCHAR",
};

function statement(columns: readonly Column[]): string {
  const types = columns.map(({ name, kind }) => `'${name}': '${physical[kind]}'`);
  const values = columns.map(({ name, kind }) => `${value(name, kind)} AS "${name}"`);
  return `COPY (SELECT ${values.join(", ")} FROM read_csv('/dev/stdin', auto_detect = false, header = false, delim = ',', quote = '"', escape = '"',
      new_line = '\\r\\n', nullstr = '', allow_quoted_nulls = false, buffer_size = 4000000, max_line_size = 2000000,
      columns = {${[...types, "'cursor_us': 'VARCHAR'", "'cursor_key': 'VARCHAR'"].join(", ")}}))
    TO '/dev/stdout' (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${rowGroupRows}, ROW_GROUP_SIZE_BYTES ${rowGroupBytes}, WRITE_BLOOM_FILTER false)`;
}

function value(name: string, kind: ColumnKind): string {
  if (kind === "date") return `("${name}" // 86400000)::INTEGER`;
  if (physical[kind] !== "VARCHAR") return `"${name}"`;
  // QuestDB writes backslashes and control characters like JSON.
  return `CASE WHEN contains("${name}", '\\') THEN json_extract_string('"' || replace("${name}", '"', '\\"') || '"', '$') ELSE "${name}" END`;
}
