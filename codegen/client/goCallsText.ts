import type { DescFile, DescMethod, DescService } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { clientServices, deletes } from "./clientServices.ts";

const header = `// Code generated from the contract. DO NOT EDIT.

package lookout

import (
	"context"
	"iter"

	"connectrpc.com/connect"
	lookoutv1 "lookout.dev/client/lookout/v1"
	"lookout.dev/client/lookout/v1/lookoutv1connect"
)
`;

/** Names of calls that do not name the object of their service. */
const names: Readonly<Record<string, string>> = {
  Query: "Ask",
  QueryColumns: "AskColumns",
  Watch: "Follow",
  ListQueryTypes: "ListTypes",
  ListQueryWebsites: "ListWebsites",
  CompileQuery: "Compile",
  CustomQuery: "AskCustom",
  Track: "Send",
  Batch: "SendBatch",
  Collect: "SendOne",
};

/** The objects that the names of a service's calls leave out; by default the one in its own name. */
const objects: Readonly<Record<string, string>> = {
  DataService: "Data",
  AuditService: "AuditLog",
  UptimeService: "Monitor",
};

/** The Go source of a type for each service that takes an API key, whose calls take a message or a connect.Request. Not yet formatted. */
export function goCallsText(files: readonly DescFile[]): string {
  return [header, ...clientServices(files).map(serviceText)].join("");
}

function serviceText(service: DescService): string {
  const type = service.name.replace(/Service$/, "Calls");
  const short = service.methods.map((method) => shortName(service, method));
  const taken = [...short, ...service.methods.map(({ name }) => name)];
  const twice = taken.find((name, index) => taken.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${service.name} has two calls ${twice}: see codegen/client/goCallsText.ts`);
  return `
// ${type} are the calls of ${service.name}.
type ${type} struct {
	to lookoutv1connect.${service.name}Client
}
${service.methods.map((method, index) => methodText(type, method, short[index] ?? "")).join("")}`;
}

/** `CreateLink` of the links is `Create`, and `Watch` of queries `Follow`. Where nothing can be left out, `GetHistory` is `DoGetHistory`. */
function shortName({ name: service }: DescService, { name }: DescMethod): string {
  const object = objects[service] ?? service.replace(/Service$/, "");
  const short = names[name] ?? name.replace(new RegExp(`${object}(?:e?s)?(?![a-z])`), "");
  return short === name || short === "" ? `Do${name}` : short;
}

function methodText(type: string, method: DescMethod, short: string): string {
  const { name, input, output, methodKind } = method;
  const [request, answer] = [`lookoutv1.${input.name}`, `lookoutv1.${output.name}`];
  const comment = commentOf(method)
    .split("\n")
    .map((line) => `// ${line}`.trimEnd())
    .join("\n");
  if (methodKind === "server_streaming")
    return `
// ${short} is ${name} with a message. A loop over it ends with an error's *Error.
//
${comment}
func (c ${type}) ${short}(ctx context.Context, message *${request}, options ...CallOption) iter.Seq2[*${answer}, error] {
	return receive(ctx, c.${name}, message, options)
}

${comment}
func (c ${type}) ${name}(ctx context.Context, request *connect.Request[${request}]) (*connect.ServerStreamForClient[${answer}], error) {
	return c.to.${name}(ctx, copied(request))
}
`;
  const made = `c.to.${name}(ctx, copied(request))`;
  return `
// ${short} is ${name} with a message.
//
${comment}
func (c ${type}) ${short}(ctx context.Context, message *${request}, options ...CallOption) (*${answer}, error) {
	return call(ctx, c.${name}, message, options)
}

${comment}
func (c ${type}) ${name}(ctx context.Context, request *connect.Request[${request}]) (*connect.Response[${answer}], error) {
	return ${deletes(method) ? `deleted(${made})` : made}
}
`;
}
