import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "../src/gen/google/api/annotations_pb.ts";

/** Where a call of the service is served over HTTP: `POST /links/create`. Undefined if it is only served over gRPC. */
export function pathOf(method: DescMethod): string | undefined {
  if (!hasOption(method, http)) return undefined;
  const { pattern } = getOption(method, http);
  return `${pattern.case?.toUpperCase()} ${String(pattern.value)}`;
}
