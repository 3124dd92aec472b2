import type { DescFile, DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { clientServices, pagedMethod, repeatsOf, serviceWords } from "./clientServices.ts";

/** The Python source of a class for each service of the contract that takes an API key, for threads or for asyncio. */
export function pythonServicesText(files: readonly DescFile[], kind: "" | "Async"): string {
  const services = clientServices(files);
  const modules = services.flatMap(({ methods }) =>
    methods.flatMap(({ input, output }) => [input, output].map(moduleOf)),
  );
  const items = services.flatMap(({ methods }) => methods.flatMap((each) => pagedMethod(each)?.items.message ?? []));
  const imports = [...new Set([...modules, ...items.map(moduleOf)])].toSorted().map((name) => `    ${name},\n`);
  const calls = kind === "" ? "_calls" : "_aio_calls";
  const types = ["Calls", "PagedCall", "StreamCall", "UnaryCall"].map((name) => `${kind}${name}`);
  return `# Code generated from the contract. Do not edit.

from __future__ import annotations

from lookout.${calls} import ${types.join(", ")}
from lookout.v1 import (
${imports.join("")})


${services.map((service) => serviceText(service, kind)).join("\n\n")}

class ${kind}Services:
    """All services that take an API key."""

    def __init__(self, calls: ${kind}Calls) -> None:
${services.map((service) => `        self.${serviceWords(service).join("_")} = ${service.name}(calls)\n`).join("")}`;
}

function serviceText(service: DescService, kind: string): string {
  return `class ${service.name}:
    """${docstring(commentOf(service), "    ")}"""

    def __init__(self, calls: ${kind}Calls) -> None:
${service.methods.map((method) => methodText(service, method, kind)).join("")}`;
}

function methodText(service: DescService, method: DescMethod, kind: string): string {
  const { name, input, output, methodKind } = method;
  const paged = pagedMethod(method);
  const path = `"/${service.typeName}/${name}"`;
  const messages = [typeOf(input), typeOf(output)];
  const [type, call] =
    methodKind === "server_streaming"
      ? [`StreamCall[${messages.join(", ")}]`, `stream(${[path, ...messages].join(", ")})`]
      : paged === undefined
        ? [`UnaryCall[${messages.join(", ")}]`, `unary(${[path, ...messages, repeats(method)].join(", ")})`]
        : [
            `PagedCall[${[...messages, typeOf(paged.items.message)].join(", ")}]`,
            `paged(${[path, ...messages, repeats(method), `lambda page: page.${paged.items.name}`, typeOf(paged.items.message)].join(", ")})`,
          ];
  return `        self.${name}: ${kind}${type} = calls.${call}
        """${docstring(commentOf(method), "        ")}"""
`;
}

function repeats(method: DescMethod): string {
  return JSON.stringify(repeatsOf(method));
}

function moduleOf({ file }: DescMessage): string {
  return `${file.name.replace(/^.*\//, "")}_pb2`;
}

function typeOf(message: DescMessage): string {
  return `${moduleOf(message)}.${message.name}`;
}

function docstring(text: string, indent: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll('"""', "'''")
    .replaceAll(/\n(?!\n)/g, `\n${indent}`);
}
