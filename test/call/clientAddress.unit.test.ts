import { describe, expect, it } from "vitest";
import { readClientAddress } from "../../src/call/clientAddress.ts";
import { readConfig } from "../../src/config.ts";
import { parseAddressRanges } from "../../src/outbound/addressRanges.ts";

const proxies = parseAddressRanges("10.0.0.0/8, 2001:db8:1::/48, 127.0.0.1");

function client(peerAddress: string | undefined, headers: Record<string, string> = {}) {
  return readClientAddress({ peerAddress, header: (name) => headers[name] }, proxies);
}

describe("part 1: the address of a visitor", () => {
  it.each([
    ["of the connection", "198.51.100.7", {}, "198.51.100.7"],
    ["of an IPv4 connection to an IPv6 socket", "::ffff:198.51.100.7", {}, "198.51.100.7"],
    ["without its zone", "fe80::1%eth0", {}, "fe80::1"],
    ["not from the headers of a stranger", "198.51.100.7", { "x-forwarded-for": "203.0.113.9" }, "198.51.100.7"],
    ["not from a stranger's CF-Connecting-IP", "198.51.100.7", { "cf-connecting-ip": "203.0.113.9" }, "198.51.100.7"],
    ["from a trusted proxy's X-Forwarded-For", "10.1.2.3", { "x-forwarded-for": "203.0.113.9" }, "203.0.113.9"],
    [
      "from behind the trusted proxies",
      "::ffff:10.1.2.3",
      { "x-forwarded-for": "203.0.113.9, 10.9.9.9" },
      "203.0.113.9",
    ],
    ["not what the client put before", "10.1.2.3", { "x-forwarded-for": "192.0.2.1, 203.0.113.9" }, "203.0.113.9"],
    [
      "not past an entry that is no address",
      "10.1.2.3",
      { "x-forwarded-for": "192.0.2.1, unknown, 10.9.9.9" },
      undefined,
    ],
    ["of the first proxy when all are trusted", "10.1.2.3", { "x-forwarded-for": "10.0.0.1, 10.0.0.2" }, "10.0.0.1"],
    ["without its port", "10.1.2.3", { "x-forwarded-for": "203.0.113.9:4711" }, "203.0.113.9"],
    ["IPv6 in brackets", "2001:db8:1::5", { "x-forwarded-for": "[2001:db8:2::7]:4711" }, "2001:db8:2::7"],
    [
      "from Forwarded",
      "10.1.2.3",
      { forwarded: 'for="[2001:db8:2::7]:47";proto=https, For=10.9.9.9;by=10.1.2.3' },
      "2001:db8:2::7",
    ],
    ["from X-Real-IP", "127.0.0.1", { "x-real-ip": "203.0.113.9" }, "203.0.113.9"],
    ["from CF-Connecting-IP", "10.1.2.3", { "cf-connecting-ip": "203.0.113.9" }, "203.0.113.9"],
    ["of a proxy without a client address", "10.1.2.3", {}, "10.1.2.3"],
    ["unknown on a socket without one", undefined, { "x-forwarded-for": "203.0.113.9" }, undefined],
    [
      "not from a list that is all but endless",
      "10.1.2.3",
      { "x-forwarded-for": `192.0.2.1${", 10.0.0.1".repeat(40)}` },
      "10.0.0.1",
    ],
  ])("%s", (_, peer, headers, address) => {
    expect(client(peer, headers)).toBe(address);
  });
});

describe("the setting TRUSTED_PROXIES", () => {
  it("trusts no proxy by default", () => {
    const { trustedProxies } = readConfig({}).ingest;
    expect(readClientAddress({ peerAddress: "127.0.0.1", header: () => "203.0.113.9" }, trustedProxies)).toBe(
      "127.0.0.1",
    );
  });

  it.each([
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "proxy.example",
    "2001:db8::/129",
    "10.0.0.0/-1",
    "10.0.0.0/8x",
  ])("refuses %s and names the accepted forms", (entry) => {
    expect(() => readConfig({ TRUSTED_PROXIES: `127.0.0.1,${entry}` })).toThrow(
      `TRUSTED_PROXIES must be addresses or CIDR ranges such as 10.0.0.0/8, separated by commas, not "${entry}"`,
    );
  });
});
