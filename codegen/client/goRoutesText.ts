import type { DescFile } from "@bufbuild/protobuf";
import { services } from "../../src/gen/lookout/services.ts";
import { pathOf } from "../callPath.ts";
import { clientServices } from "./clientServices.ts";

/** The Go source of a map from calls as texts of the service name them, `POST /links/list`, to those of the client. Not yet formatted. */
export function goRoutesText(files: readonly DescFile[]): string {
  const own = new Set(clientServices(files).map(({ typeName }) => typeName));
  // The contract for clients has no paths, so they are read from the service's.
  const calls = services.filter(({ typeName }) => own.has(typeName)).flatMap(({ methods }) => methods);
  const lines = calls.flatMap((method) => {
    const path = pathOf(method);
    const name = `${method.parent.name.replace(/Service$/, "Calls")}.${method.name}`;
    return path === undefined ? [] : [`\t${JSON.stringify(path)}: "${name}",\n`];
  });
  return `// Code generated from the contract. DO NOT EDIT.

package lookout

// callOfRoute has the call of each route.
var callOfRoute = map[string]string{
${lines.join("")}}
`;
}
