import type { DescFile } from "@bufbuild/protobuf";
import { callsByPath } from "./callsByPath.ts";

/** The Go source of a map from calls as texts of the service name them, `POST /links/list`, to those of the client. Not yet formatted. */
export function goRoutesText(files: readonly DescFile[]): string {
  const calls = callsByPath(files, ({ parent, name }) => `${parent.name.replace(/Service$/, "Calls")}.${name}`);
  const lines = calls.map(([path, name]) => `\t${JSON.stringify(path)}: "${name}",\n`);
  return `// Code generated from the contract. DO NOT EDIT.

package lookout

// callOfRoute has the call of each route.
var callOfRoute = map[string]string{
${lines.join("")}}
`;
}
