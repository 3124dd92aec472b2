import type { DescFile, DescMethod, DescService } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { callNoteWithIds } from "./callNote.ts";
import { clientServices, pagedMethod, repeatsOf, serviceWords } from "./clientServices.ts";
import { docstring, type MethodContext, methodsText, pythonMessage } from "./pythonMethodsText.ts";
import { requiredFields } from "./requiredFields.ts";
import { valueSets } from "./valueSets.ts";

/** The Python source of a class for each service of the contract that takes an API key, for threads or for asyncio. */
export function pythonServicesText(files: readonly DescFile[], kind: "" | "Async"): string {
  const services = clientServices(files);
  const context = { kind, required: requiredFields(), sets: valueSets() };
  const calls = kind === "" ? "_calls" : "_aio_calls";
  const types = ["Calls", "PagedCall", "StreamCall", "UnaryCall"].map((name) => `${kind}${name}`);
  const bodies = services.map((service) => serviceText(service, context)).join("\n\n");
  const modules = [...new Set(bodies.match(/\b\w+_pb2(?=\.)/g))].toSorted();
  return `# Code generated from the contract. Do not edit.

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ${kind}Iterator, Mapping, Sequence

from lookout import values
from lookout.${calls} import ${types.join(", ")}
from lookout.${kind === "" ? "_stream" : "_aio_stream"} import ${kind}Stream
from lookout._attempts import Metadata, OnReconnect
from lookout._requests import request_of as _request
from lookout.v1 import (
${modules.map((name) => `    ${name},\n`).join("")})


${bodies}

class ${kind}Services:
    """All services that take an API key."""

    def __init__(self, calls: ${kind}Calls) -> None:
${services.map((service) => `        self.${serviceWords(service).join("_")} = ${service.name}(calls)\n`).join("")}`;
}

function serviceText(service: DescService, context: MethodContext): string {
  return `class ${service.name}:
    """${docstring(commentOf(service), "    ")}"""

    def __init__(self, calls: ${context.kind}Calls) -> None:
${service.methods.map((method) => callText(service, method, context.kind)).join("")}
${service.methods.map((method) => methodsText(method, context)).join("\n")}`;
}

function callText(service: DescService, method: DescMethod, kind: string): string {
  const { name, input, output, methodKind } = method;
  const paged = pagedMethod(method);
  const path = `"/${service.typeName}/${name}"`;
  const messages = [pythonMessage(input), pythonMessage(output)];
  const [type, call] =
    methodKind === "server_streaming"
      ? [
          `StreamCall[${messages.join(", ")}]`,
          `stream(${[path, ...messages, repeats(method), `resumes=${resumes(method)}`].join(", ")})`,
        ]
      : paged === undefined
        ? [`UnaryCall[${messages.join(", ")}]`, `unary(${[path, ...messages, repeats(method)].join(", ")})`]
        : [
            `PagedCall[${[...messages, pythonMessage(paged.items.message)].join(", ")}]`,
            `paged(${[path, ...messages, repeats(method), `lambda page: page.${paged.items.name}`, pythonMessage(paged.items.message)].join(", ")})`,
          ];
  return `        self.${name}: ${kind}${type} = calls.${call}
        """${docstring(`${commentOf(method)}\n\n${callNoteWithIds(method)}`, "        ")}"""
`;
}

/** What the service's comments say of events, whose repetition depends on the request. */
function repeats(method: DescMethod): string {
  return JSON.stringify(method.parent.name === "IngestService" ? "with event ids" : repeatsOf(method));
}

/** Each message of these is the whole state, so that a stream that was interrupted goes on with a new one. */
function resumes({ name }: DescMethod): string {
  return name.startsWith("Watch") ? "True" : "False";
}
