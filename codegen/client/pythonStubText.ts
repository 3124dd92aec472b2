import type { DescFile } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { docstring } from "./pythonMethodsText.ts";

/** The stub of a generated module (protoc's .pyi) with the contract's comments on messages and fields, as editors show them. */
export function documentedStub(text: string, files: readonly DescFile[]): string {
  const messages = new Map(files.flatMap((file) => file.messages).map((message) => [message.name, message]));
  const parts = text.split(/^(?=class \w+\(_message\.Message\))/m);
  return parts.map((part) => documented(part, messages)).join("");
}

function documented(part: string, messages: ReadonlyMap<string, DescFile["messages"][number]>): string {
  const [, name = ""] = /^class (\w+)/.exec(part) ?? [];
  const message = messages.get(name);
  if (message === undefined) return part;
  const comments = new Map(message.fields.map((field) => [field.name, commentOf(field)]));
  return part
    .replace(
      /^(class .*:)(?: \.\.\.)?$/m,
      `$1\n    """${docstring(commentOf(message), "    ").replaceAll("$", "$$$$")}"""`,
    )
    .replaceAll(/^ {4}(\w+): (?!_ClassVar).*$/gm, (line, field: string) => {
      const comment = comments.get(field) ?? "";
      return comment === "" ? line : `${line}\n    """${docstring(comment, "    ")}"""`;
    });
}
