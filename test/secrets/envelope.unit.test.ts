import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { envelopePattern, keyIdOf, openText, sealText } from "../../src/secrets/envelope.ts";
import { wrappingKey } from "../../src/secrets/wrappingKeys.ts";

const key = { id: "0123456789abcdef", key: randomBytes(32) };

test("a secret is opened with its key at its place, and never encrypted the same way twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const envelope = sealText(key, "monitors.secrets\0a", text);
      expect(openText(key, "monitors.secrets\0a", envelope)).toBe(Buffer.from(text).toString());
      expect(sealText(key, "monitors.secrets\0a", text)).not.toBe(envelope);
      expect(envelope).toMatch(new RegExp(envelopePattern));
      expect(keyIdOf(envelope)).toBe(key.id);
    }),
    { numRuns: 30 },
  );
});

test("an envelope is opened neither elsewhere, nor with another key, nor once it was changed", () => {
  const envelope = sealText(key, "monitors.secrets\0a", "Bearer s3cret");
  expect(() => openText(key, "monitors.secrets\0b", envelope)).toThrow();
  expect(() => openText(key, "notification_channels.secret\0a", envelope)).toThrow();
  expect(() => openText({ ...key, key: randomBytes(32) }, "monitors.secrets\0a", envelope)).toThrow();
  expect(() => openText({ ...key, id: "fedcba9876543210" }, "monitors.secrets\0a", envelope)).toThrow();
  for (let at = "lk1.0123456789abcdef.".length; at < envelope.length - 1; at += 4) {
    const other = envelope[at] === "A" ? "B" : "A";
    const changed = envelope.slice(0, at) + other + envelope.slice(at + 1);
    expect(() => openText(key, "monitors.secrets\0a", changed)).toThrow();
  }
});

test.each([
  "",
  "https://hooks.example.com/services/T000/B000",
  "lk1.ops@example.com",
  "lk1.0123456789abcdef.short",
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
])("a text that was stored before secrets were encrypted is no envelope: %j", (text) => {
  expect(keyIdOf(text)).toBeUndefined();
  expect(text).not.toMatch(new RegExp(envelopePattern));
});

test("a key's id is the same in every process and shows nothing of its secret", () => {
  const secret = "a secret of an operator, 32 letters";
  expect(wrappingKey(secret)).toEqual(wrappingKey(secret));
  expect(wrappingKey(secret).id).toMatch(/^[0-9a-f]{16}$/);
  expect(wrappingKey(secret).id).not.toBe(wrappingKey(`${secret}.`).id);
  expect(wrappingKey(secret).key.toString("hex")).not.toContain(wrappingKey(secret).id);
});
