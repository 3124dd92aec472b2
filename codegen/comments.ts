import type { DescField, DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";

/** The comment above a declaration, its lines joined, its paragraphs kept. */
export function commentOf(desc: DescField | DescMessage | DescMethod | DescService): string {
  const text = getComments(desc).leading ?? "";
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) =>
    paragraph
      .split("\n")
      .map((line) => line.trim())
      .join(" ")
      .trim(),
  );
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

/** A text as a comment that editors of TypeScript show, each line after `indent`. Nothing for an empty text. */
export function docComment(text: string, indent: string): string {
  if (text === "") return "";
  const lines = text
    .replaceAll("*/", "*\\/")
    .split("\n")
    .map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`);
  return `${indent}/**\n${lines.join("")}${indent} */\n`;
}
