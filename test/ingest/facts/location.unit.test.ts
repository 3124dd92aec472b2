import { describe, expect, it } from "vitest";
import { locate } from "../../../src/ingest/facts/location.ts";

const nowhere = { country: undefined, region: undefined, city: undefined };

describe("part 2, country, region and city: looked up offline", () => {
  it.each([
    ["8.8.8.8", { country: "US", region: "California", city: "Mountain View" }],
    ["81.2.69.142", { country: "GB", region: "England", city: "London" }],
    ["2a02:810d::1", { country: "DE", region: "Bavaria", city: "Untermeitingen" }],
  ])("%s", (address, location) => {
    expect(locate(address)).toEqual(location);
  });

  it.each([undefined, "127.0.0.1", "::1", "192.168.1.1", "10.0.0.1", "fe80::1", "no address", "::ffff:8.8.8.8"])(
    "%s has no location",
    (address) => {
      expect(locate(address)).toEqual(nowhere);
    },
  );
});
