import { getOption, hasOption } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { send } from "../kit/calls/request.ts";

/** RPCs of the contract that are not implemented yet and answer 501. */
const notImplemented: readonly string[] = [];

test("part 4: exactly the listed RPCs answer 501 NOT_IMPLEMENTED with the common error body", async () => {
  const found: string[] = [];
  const withoutPath: string[] = [];
  for (const service of services)
    for (const method of service.methods) {
      if (!hasOption(method, http)) {
        withoutPath.push(`${service.name}.${method.name}`);
        continue;
      }
      const { pattern } = getOption(method, http);
      const path = String(pattern.value).replace(/\{\w+\}/g, "x");
      const answer = await send(pattern.case?.toUpperCase() ?? "", path, pattern.case === "get" ? {} : { body: {} });
      if (answer.status !== 501) continue;
      found.push(`${service.name}.${method.name}`);
      const message = `${method.name} is part of the contract but not built yet`;
      expect(answer.body).toMatchObject({
        error: message,
        code: "NOT_IMPLEMENTED",
        requestId: answer.headers.get("x-request-id"),
      });
    }
  expect(found.sort()).toEqual([...notImplemented].sort());
  expect(withoutPath, "served over gRPC, gRPC-Web and Connect only").toEqual([
    "DataService.WatchDeletion",
    "QueryService.QueryColumns",
    "QueryService.Watch",
  ]);
});
