import { beforeAll, describe, expect, it, test } from "vitest";
import type { Violation } from "../../../src/gen/lookout/codecs.js";
import { codecs } from "../../../src/gen/lookout/codecs.js";
import { EngagementSchema, NamedEventSchema } from "../../../src/gen/lookout/v1/clients_pb.ts";
import {
  CustomEventSchema,
  FlatEventSchema,
  OutgoingLinkPayloadSchema,
  TrackPayloadSchema,
} from "../../../src/gen/lookout/v1/ingest_pb.ts";
import { ScriptErrorSchema } from "../../../src/gen/lookout/v1/script_errors_pb.ts";
import { VitalSchema } from "../../../src/gen/lookout/v1/vitals_pb.ts";
import { readCountry, suggestCountry } from "../../../src/ingest/facts/countries.ts";
import {
  describeVisitor,
  readStated,
  type StatedVisitor,
  statedNames,
} from "../../../src/ingest/facts/statedVisitor.ts";
import { readPlaceNamesFor } from "../../../src/visitors/placeNames.ts";

const chrome =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";

beforeAll(() => readPlaceNamesFor([{ city: "Munich" }]));

describe("6: what a server states about a visitor", () => {
  it("looks the address up and reads the user agent as for a browser", () => {
    expect(describeVisitor({ ip: "::ffff:81.2.69.142", userAgent: chrome })).toMatchObject({
      address: "81.2.69.142",
      userAgent: chrome,
      agent: { browser: "Chrome", browserVersion: "126", os: "macOS", osVersion: "10.15", device: "desktop" },
      location: { country: "GB", region: "England", city: "London" },
      leftOut: [],
    });
  });

  it("takes a stated place as a whole instead of the address's", () => {
    const stated = { ip: "81.2.69.142", country: "de", city: "Munich" };
    expect(describeVisitor(stated)).toMatchObject({ location: { country: "DE", region: undefined, city: "Munich" } });
  });

  it("takes names instead of a user agent, also in other spellings", () => {
    expect(describeVisitor({ browser: "edge", os: "MACOS", device: "Mobile" })).toMatchObject({
      agent: { browser: "Microsoft Edge", browserVersion: undefined, os: "macOS", device: "mobile", isBot: false },
    });
  });

  it.each<[StatedVisitor, string, string]>([
    [{ ip: "81.2.69" }, "ip", "must be an IPv4 or IPv6 address, such as 203.0.113.7 or 2001:db8::7"],
    [{ userAgent: chrome, os: "iOS" }, "os", "must not be stated together with userAgent, which says it already"],
    [{ device: "tablett" }, "device", "must be one of desktop, mobile, tablet, tv; did you mean tablet?"],
    [{ device: "bot" }, "device", "must be one of desktop, mobile, tablet, tv"],
    [{ country: "XX" }, "country", "must be an ISO 3166-1 alpha-2 code, such as DE"],
    [{ country: "UK" }, "country", "must be an ISO 3166-1 alpha-2 code, such as DE; did you mean GB?"],
    [{ country: "Germny" }, "country", "must be an ISO 3166-1 alpha-2 code, such as DE; did you mean DE?"],
    [{ country: "5" }, "country", "must be an ISO 3166-1 alpha-2 code, such as DE"],
    [{ region: "Bavaria" }, "country", "is required with region"],
    [{ ip: "81.2.69.142", city: "London" }, "country", "is required with city"],
  ])("%j is refused: %s", (stated, field, message) => {
    expect(describeVisitor(stated)).toEqual({ reason: "invalid", field, message });
  });

  it("leaves out names that are unknown, since no list of them is complete", () => {
    const visitor = describeVisitor({
      browser: "Crome",
      os: "TempleOS",
      country: "DE",
      region: "Bavaria",
      city: "Müchen 7",
    });
    expect(visitor).toMatchObject({
      agent: { browser: undefined, os: undefined },
      location: { country: "DE", region: "Bavaria", city: undefined },
      leftOut: [
        "browser (no known name; did you mean Chrome?)",
        expect.stringMatching(/^os \(no known name/),
        "city (no English name of a place in the location database)",
      ],
    });
  });

  it("is nothing when the texts are empty", () => {
    expect(readStated({ ip: "", country: "", city: undefined })).toBeUndefined();
  });
});

test("6: countries are those of ISO 3166-1", () => {
  expect(["de", "GB", "XK"].map(readCountry)).toEqual(["DE", "GB", "XK"]);
  expect(["EU", "UK", "ZZ", "D", "DEU", ""].map(readCountry)).toEqual(Array(6).fill(undefined));
  expect(["Great Britain and so on, a name longer than any other name is", "q", "France"].map(suggestCountry)).toEqual([
    undefined,
    undefined,
    "FR",
  ]);
});

test("6: all forms of events state a visitor in the same words", () => {
  for (const { typeName, fields } of [
    TrackPayloadSchema,
    OutgoingLinkPayloadSchema,
    FlatEventSchema,
    CustomEventSchema,
    NamedEventSchema,
    EngagementSchema,
    VitalSchema,
    ScriptErrorSchema,
  ]) {
    const names = fields.map(({ localName }) => localName).filter((name) => statedNames.some((each) => each === name));
    expect(names, typeName).toEqual(statedNames);
  }
});

test("6: members of other programs that have these names cost no event", () => {
  const violations: Violation[] = [];
  const sent = { name: "x", device: { model: "A", text: "\ud800" }, country: 5, user_agent: true, ip: null, os: ["a"] };
  expect(codecs["lookout.v1.FlatEvent"].parse(sent, violations)).toMatchObject({
    device: '{"model":"A","text":"\\ud800"}',
    country: "5",
    userAgent: "true",
    ip: undefined,
    os: '["a"]',
  });
  expect(violations).toEqual([]);
});
