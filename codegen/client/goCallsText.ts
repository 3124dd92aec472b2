import type { DescFile, DescMethod, DescService } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { callNoteWithIds } from "./callNote.ts";
import { clientServices, deletes, pagedMethod } from "./clientServices.ts";

const header = `// Code generated from the contract. DO NOT EDIT.

package lookout

import (
	"context"
	"iter"

	lookoutv1 "lookout.dev/client/lookout/v1"
	"lookout.dev/client/lookout/v1/lookoutv1connect"
)
`;

/** The Go source of a type for each service that takes an API key, whose calls take a message and options. Not yet formatted. */
export function goCallsText(files: readonly DescFile[]): string {
  return [header, ...clientServices(files).map(serviceText)].join("");
}

function serviceText(service: DescService): string {
  const type = service.name.replace(/Service$/, "Calls");
  return `
${goText(`${type} are the calls of ${service.name}. Their errors are of the type [*Error].\n\n${commentOf(service)}`)}
type ${type} struct {
	to lookoutv1connect.${service.name}Client
}
${service.methods.map((method) => methodText(type, method)).join("")}`;
}

function methodText(type: string, method: DescMethod): string {
  const { name, input, output, methodKind } = method;
  const [request, answer] = [`lookoutv1.${input.name}`, `lookoutv1.${output.name}`];
  if (methodKind === "server_streaming")
    return `
${goComment(method, "The loop over it ends with the first error.")}
func (c ${type}) ${name}(ctx context.Context, message *${request}, options ...CallOption) iter.Seq2[*${answer}, error] {
	return receive(ctx, c.to.${name}, message, options)
}
`;
  const made = `call(ctx, c.to.${name}, message, options)`;
  return `
${goComment(method, pagedMethod(method) && `[Client.${allName(method)}] goes through all pages.`)}
func (c ${type}) ${name}(ctx context.Context, message *${request}, options ...CallOption) (*${answer}, error) {
	return ${deletes(method) ? `deleted(${made})` : made}
}
`;
}

/** The name of the method that goes through all pages of a call: `AllLinks` of `ListLinks`. */
export function allName({ name }: DescMethod): string {
  return name.replace(/^List/, "All");
}

/** The contract's comment as that of a Go method, which begins with its name: "Creates a link." becomes "CreateLink creates a link." */
function goComment(method: DescMethod, more = ""): string {
  const text = commentOf(method);
  const sentence = /^[A-Z][a-z]+s /.test(text)
    ? `${text.charAt(0).toLowerCase()}${text.slice(1)}`
    : `answers ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  const notes = [callNoteWithIds(method).replaceAll("`", ""), more].filter((part) => part !== "");
  return goText(`${method.name} ${sentence}\n\n${notes.join(" ")}`);
}

function goText(text: string): string {
  return text
    .split("\n")
    .map((line) => `// ${line}`.trimEnd())
    .join("\n");
}
