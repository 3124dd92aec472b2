import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { services } from "../../src/gen/lookout/services.ts";
import { pathOf } from "../callPath.ts";
import { clientServices, serviceName } from "../client/clientServices.ts";
import { quoted, table } from "./markdown.ts";

/** The calls that take an API key, by their paths over HTTP and by what clients call them. */
export function callsTable(): string {
  const files = [...new Set(services.map(({ file }) => file))];
  const byName = clientServices(files).toSorted((a, b) => (serviceName(a) < serviceName(b) ? -1 : 1));
  return table(["over HTTP", "client", "over gRPC"], byName.flatMap(rowsOf));
}

function rowsOf(service: DescService): readonly string[][] {
  return service.methods.map((method) => [
    httpText(method),
    quoted(`${serviceName(service)}.${method.localName}`),
    quoted(`${service.name}/${method.name}`),
  ]);
}

function httpText(method: DescMethod): string {
  const path = pathOf(method);
  return path === undefined ? "" : quoted(path);
}
