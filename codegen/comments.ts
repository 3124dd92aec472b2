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
