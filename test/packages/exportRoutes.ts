import { createHash } from "node:crypto";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { DataService } from "../../src/gen/lookout/v1/data_pb.ts";

const parts = [Buffer.from("PK first "), Buffer.from("second")];
const sha256 = createHash("sha256").update(Buffer.concat(parts)).digest("hex");

/**
 * Exports as their ids say: `done` is done at the second question, `changed` has another file than its checksum says, `failed` has failed, and
 * `endless` is never done. Ids that begin with `broken` break off after the first part once, and `stalled` ones say nothing more then. Ids that begin with `cut`
 * break off after each three bytes, `old` ones break off after three bytes more each time and know no offset, and `ahead` ones skip a byte after a break. The signature of each is `s`.
 * `onDownload` is told where each download begins.
 */
export function exportRoutes(router: ConnectRouter, onDownload: (offset: number) => void = () => {}): void {
  const asked = new Map<string, number>();
  const downloaded = new Set<string>();
  const tries = new Map<string, number>();
  router.service(DataService, {
    getExport: ({ exportId }) => {
      const count = (asked.get(exportId) ?? 0) + 1;
      asked.set(exportId, count);
      if (exportId === "failed") return { exportId, status: "failed", reason: "The disk is full" };
      if (exportId === "endless" || (exportId.startsWith("done") && count === 1))
        return { exportId, status: "processing", progress: 40 };
      const downloadUrl = `https://lookout.example/file?expires=1&signature=s`;
      return { exportId, status: "completed", progress: 100, downloadUrl, sha256 };
    },
    async *downloadExport({ exportId, signature, offset = 0 }, { signal }) {
      onDownload(offset);
      if (signature !== "s") throw new ConnectError("The signature is wrong", Code.PermissionDenied);
      const isFirst = !downloaded.has(exportId);
      downloaded.add(exportId);
      tries.set(exportId, (tries.get(exportId) ?? 0) + 1);
      if (/^(?:cut|old|ahead)/.test(exportId)) return yield* cut(exportId, offset, tries.get(exportId) ?? 0);
      if (isFirst && /^(?:broken|stalled)/.test(exportId)) {
        yield { data: parts[0] };
        if (exportId.startsWith("stalled")) await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw stops();
      }
      for (const data of parts) yield { data };
      if (exportId === "changed") yield { data: Buffer.from("more") };
    },
  });
}

async function* cut(
  exportId: string,
  offset: number,
  count: number,
): AsyncGenerator<{ data?: Uint8Array; offset?: number }> {
  const whole = Buffer.concat(parts);
  if (exportId.startsWith("old")) {
    yield {};
    yield { data: whole.subarray(0, count * 3) };
    if (count * 3 < whole.length) throw stops();
    return;
  }
  const begin = exportId.startsWith("ahead") && offset > 0 ? offset + 1 : offset;
  yield { offset: begin };
  yield { data: whole.subarray(begin, begin + 3) };
  // The last bytes come, but not that they are the last.
  if (offset < whole.length) throw stops();
}

function stops(): ConnectError {
  return new ConnectError("The service stops", Code.Unavailable, undefined, [
    { desc: ErrorInfoSchema, value: { reason: "SERVICE_UNAVAILABLE", domain: "lookout.v1" } },
  ]);
}
