/** The API process with a writer that discards all rows: the cost of the server itself. */
import { RowWriter } from "../../src/store/write/rowWriter.ts";

RowWriter.prototype.write = () => Promise.resolve();
await import("../../src/main/api.ts");
