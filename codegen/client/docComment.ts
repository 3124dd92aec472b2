/** A text as a comment that editors of TypeScript show, each line after `indent`. Nothing for an empty text. */
export function docComment(text: string, indent: string): string {
  if (text === "") return "";
  const lines = text
    .replaceAll("*/", "*\\/")
    .split("\n")
    .map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`);
  return `${indent}/**\n${lines.join("")}${indent} */\n`;
}
