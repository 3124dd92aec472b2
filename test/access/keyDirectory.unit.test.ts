import { beforeEach, expect, test } from "vitest";
import { KeyDirectory } from "../../src/access/keyDirectory.ts";
import { createKeyText, hashKeyText } from "../../src/access/keyText.ts";

const valid = createKeyText();
let reads: string[];
let directory: KeyDirectory;

beforeEach(() => {
  reads = [];
  const query = async (_sql: string, [hash = ""]: readonly string[]) => {
    reads.push(hash);
    const row = { keyId: "key", organizationId: "org", scopes: ["read:data"], websiteIds: null, expiresAtMs: null };
    return { rows: hash === hashKeyText(valid) ? [{ ...row, isRevoked: false }] : [] };
  };
  // The directory uses nothing else of the pool.
  directory = new KeyDirectory({ query } as never, { cacheMs: 60_000, maxCached: 100 }, { hits: 0, misses: 0 });
});

test("5: lookups of unknown keys evict no valid key from the cache, even while it is being refreshed", async () => {
  expect(await directory.find(valid)).toMatchObject({ keyId: "key" });
  const guesses = Array.from({ length: 20_000 }, () => directory.find(createKeyText()));
  expect(directory.cached(valid)).toMatchObject({ keyId: "key" });
  expect(new Set(await Promise.all(guesses))).toEqual(new Set(["unknown"]));
  expect(directory.cached(valid)).toMatchObject({ keyId: "key" });
  expect(await directory.find(valid)).toMatchObject({ keyId: "key" });
  expect(reads.filter((hash) => hash === hashKeyText(valid))).toHaveLength(1);
});

test("5: the last use of a key is written once per interval, for cached keys too", async () => {
  await directory.find(valid);
  expect(directory.takeUsed()).toEqual(["key"]);
  expect(directory.takeUsed()).toEqual([]);
  directory.cached(valid);
  directory.cached(valid);
  expect(directory.takeUsed()).toEqual(["key"]);
});
