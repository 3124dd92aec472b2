import type { DescMessage } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { GetPixelRequestSchema } from "../../src/gen/lookout/v1/clients_pb.ts";
import { FlatEventSchema } from "../../src/gen/lookout/v1/ingest_pb.ts";
import { ScriptErrorSchema } from "../../src/gen/lookout/v1/script_errors_pb.ts";
import { VitalSchema } from "../../src/gen/lookout/v1/vitals_pb.ts";

/** A server that states its visitor has no use for an image. */
const stated = ["ip", "userAgent", "browser", "os", "device", "country", "region", "city"];

/** An image is for pages without scripts, and these are known to scripts only. */
const measured = ["sessionStartTime", "connectionType", "rtt", "downlink", "loadTime", "domReadyTime", "ttfb"];

/** A measurement comes as metricName and metricValue, one with each image. */
const named = ["lcp", "fid", "cls", "ttfb", "fcp", "inp", "loadTime", "domReadyTime", "renderTime"].concat([
  "timeToInteractive",
  "resourceLoadTime",
]);

describe("GET /px.jpg has every field of what it takes", () => {
  test.each([
    ["events", FlatEventSchema, [...measured, ...stated]],
    ["measurements", VitalSchema, [...named, ...stated]],
    ["errors", ScriptErrorSchema, stated],
  ])("%s", (_, message, leftOut) => {
    const fields = namesOf(GetPixelRequestSchema);
    expect(namesOf(message).filter((name) => !fields.includes(name))).toEqual(leftOut);
  });

  test("and no other", () => {
    const taken = [FlatEventSchema, VitalSchema, ScriptErrorSchema].flatMap(namesOf);
    expect(namesOf(GetPixelRequestSchema).filter((name) => !taken.includes(name))).toEqual(["clientId"]);
  });
});

function namesOf({ fields }: DescMessage): readonly string[] {
  return fields.map(({ localName }) => localName);
}
