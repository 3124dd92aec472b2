import { afterAll, describe, expect, test, vi } from "vitest";

// Files of one worker share their modules: this file imports its own, without pauses.
vi.resetModules();
vi.doMock("node:timers/promises", () => ({ setTimeout: async () => undefined }));
const { NoRoomForMapsError, whenFilesCanBeMapped } = await import("../../src/store/questdb/mappedFiles.ts");
afterAll(() => {
  vi.doUnmock("node:timers/promises");
  vi.resetModules();
});

const refusal = new Error("[12] could not mmap  [size=2556, offset=0]");
const remapRefusal = new Error("[12] could not remap file [previousSize=4096, newSize=8192, offset=0, fd=12]");

describe("8: reads while QuestDB has the maximum of files mapped", () => {
  test("are retried until files are unmapped", async () => {
    const read = vi
      .fn(async () => undefined)
      .mockRejectedValueOnce(refusal)
      .mockRejectedValueOnce(remapRefusal)
      .mockRejectedValueOnce(new NoRoomForMapsError("9000 files may be more than QuestDB can map now"));
    await whenFilesCanBeMapped(read, () => true);
    expect(read).toHaveBeenCalledTimes(4);
  });

  test("fail if none are unmapped, and at once if rows were already passed on", async () => {
    const read = vi.fn(async () => Promise.reject(refusal));
    const refused = { problem: { kind: "too_many_files" }, cause: refusal };
    await expect(whenFilesCanBeMapped(read, () => true)).rejects.toMatchObject(refused);
    expect(read).toHaveBeenCalledTimes(5);
    await expect(whenFilesCanBeMapped(read, () => false)).rejects.toMatchObject(refused);
    expect(read).toHaveBeenCalledTimes(6);
  });

  test("fail at once for any other reason", async () => {
    const read = vi.fn(async () => Promise.reject(new Error("table does not exist")));
    await expect(whenFilesCanBeMapped(read, () => true)).rejects.toThrow("table does not exist");
    expect(read).toHaveBeenCalledTimes(1);
  });
});
