/** What the pieces of the TypeScript client's README take from the program around them. */
const around = `import https from "node:https";
import { createLookout, downloadExport, each, eachRow, EXPORTED_DATA, INTERVALS, LINK_METRICS, type Lookout, type LookoutError, responseOf, VISIT_FIELDS } from "@lookout/client";

export async function piece(
  lookout: Lookout,
  signal: AbortSignal,
  baseUrl: string,
  ca: string,
  websiteId: string,
  targetUrl: string,
  startDate: string,
  endDate: string,
  WEBSITE: string,
  SECRET: string,
  wakeSomebody: (...words: readonly string[]) => Promise<void>,
) {`;

/** The indented code of a README as modules that compile, with what the text around says is there. */
export function readmePieces(readme: string): readonly string[] {
  const prose = readme.replaceAll(/^```.*?^```$/gms, "");
  // Between lines of prose there are empty lines, or code.
  const pieces = prose.split(/^(?! {4}).+$/m).filter((text) => text.trim() !== "");
  return pieces.map((piece) => {
    const lines = piece.split("\n").map((line) => line.trim());
    const imports = lines.filter((line) => line.startsWith("import "));
    const rest = lines.filter((line) => !line.startsWith("import ")).map((line) => line.replace(/^export /, ""));
    // A block of its own, whose names may be those of the program around it.
    return [...imports, around, "{", ...rest, "}", "}"].join("\n");
  });
}
