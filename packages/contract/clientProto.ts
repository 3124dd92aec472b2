/** Imports that a client needs: the contract's own files and the types that every protobuf runtime has. */
const keptImports = /^import "(?:lookout|google\/protobuf)\//;

/** A comment, a string, a word, white space or one other character of a proto file. */
const tokens = /\/\/[^\n]*|\/\*.*?\*\/|"(?:[^"\\]|\\.)*"|[\w.]+|\s+|./gs;

/**
 * The text of a proto file without the options of other files, in parentheses such as `(buf.validate.field)`, and
 * without the imports that only they need. Options of protobuf itself, such as json_name, stay.
 */
export function clientProto(source: string): string {
  const read: readonly string[] = source.match(tokens) ?? [];
  let text = "";
  for (let at = 0; at < read.length; at++) {
    const token = read[at] ?? "";
    if (token === "import") {
      const end = read.indexOf(";", at);
      const statement = read.slice(at, end + 1).join("");
      if (keptImports.test(statement)) text += statement;
      at = end;
    } else if (token === "option" && read[at + 2] === "(") {
      at = endOf(read, at, ";");
    } else if (token === "[") {
      const end = endOf(read, at + 1, "]");
      text = `${text.trimEnd()}${keptFieldOptions(read.slice(at + 1, end))}`;
      at = end;
    } else text += token;
  }
  // A body that held options only.
  return text.replaceAll(/(returns \([^)]*\)) \{\s*\}/g, "$1;");
}

/** ` [json_name = "x"]`, or nothing where no option stays. */
function keptFieldOptions(read: readonly string[]): string {
  const kept: string[] = [];
  for (let at = 0; at < read.length; at++) {
    const end = endOf(read, at, ",");
    const option = read.slice(at, end).join("").trim();
    if (!option.startsWith("(")) kept.push(option);
    at = end;
  }
  return kept.length === 0 ? "" : ` [${kept.join(", ")}]`;
}

/** The position of a token that is in no braces or brackets opened after `from`, or the end. */
function endOf(read: readonly string[], from: number, token: string): number {
  let depth = 0;
  for (let at = from; at < read.length; at++) {
    const current = read[at] ?? "";
    if (depth === 0 && current === token) return at;
    if (current === "{" || current === "[") depth++;
    if (current === "}" || current === "]") depth--;
  }
  return read.length;
}
