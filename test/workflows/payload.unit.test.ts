import { describe, expect, it } from "vitest";
import { object, readPayload, UnreadablePayload, unexpectedPayload, wholeNumber } from "../../workflows/payload.ts";
import { payloadConverter } from "../../workflows/payloadConverter.ts";

const shape = object<{ revision: number; days: number }>({ revision: wholeNumber(0, 10), days: wholeNumber(1, 5) });

describe("The payload of a signal", () => {
  it("is accepted if it is valid", () => {
    const payload = { revision: 3, days: 2 };
    expect(readPayload([payload], shape)).toEqual({ value: payload });
    expect(unexpectedPayload([])).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [undefined, "it must be an object with revision, days, not empty"],
    [null, "it must be an object with revision, days, not null"],
    ["garbage", "it must be an object with revision, days, not a text"],
    [[], "it must be an object with revision, days, not a list"],
    [new UnreadablePayload(), "it must be an object with revision, days, not a payload that cannot be decoded"],
    [{}, "revision must be a whole number from 0 to 10, not empty"],
    [{ revision: 11 }, "revision must be a whole number from 0 to 10, not 11"],
    [{ revision: "1" }, "revision must be a whole number from 0 to 10, not a text"],
    [{ revision: 1, days: "x".repeat(1_000_000) }, "days must be a whole number from 1 to 5, not a text"],
    [{ revision: 1, days: 1, url: 5 }, "it must be an object with revision, days and no more"],
  ])("%j is refused with a reason", (payload, problem) => {
    expect(readPayload([payload], shape)).toEqual({ problem });
  });

  it("is refused if there is another one, or if none is expected", () => {
    const payload = { revision: 3, days: 1 };
    expect(readPayload([payload, payload], shape).problem).toBe("it must be one payload, not 2");
    expect(unexpectedPayload([null])).toBe("it takes no payload");
  });

  it("that cannot be decoded still reaches its handler", () => {
    const encoding = (name: string) => ({ metadata: { encoding: new TextEncoder().encode(name) } });
    const data = new TextEncoder().encode("{garbage");
    expect(payloadConverter.fromPayload({ ...encoding("json/plain"), data })).toBeInstanceOf(UnreadablePayload);
    expect(payloadConverter.fromPayload({ ...encoding("of/another/world"), data })).toBeInstanceOf(UnreadablePayload);
    expect(payloadConverter.fromPayload(payloadConverter.toPayload({ revision: 1 }))).toEqual({ revision: 1 });
  });
});
