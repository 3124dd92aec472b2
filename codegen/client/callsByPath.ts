import type { DescFile, DescMethod } from "@bufbuild/protobuf";
import { services } from "../../src/gen/lookout/services.ts";
import { pathOf } from "../callPath.ts";
import { clientServices } from "./clientServices.ts";

/** The calls of a client by what texts of the service name them, such as `POST /links/list`: pairs of that and the client's name. */
export function callsByPath(
  files: readonly DescFile[],
  nameOf: (method: DescMethod) => string,
): readonly (readonly [path: string, name: string])[] {
  const own = new Set(clientServices(files).map(({ typeName }) => typeName));
  // The contract for clients has no paths, so they are read from the service's.
  const calls = services.filter(({ typeName }) => own.has(typeName)).flatMap(({ methods }) => methods);
  return calls.flatMap((method) => {
    const path = pathOf(method);
    return path === undefined ? [] : [[path, nameOf(method)] as const];
  });
}
