import { createHash } from "node:crypto";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { DataService } from "../../src/gen/lookout/v1/data_pb.ts";

const parts = [Buffer.from("PK first "), Buffer.from("second")];
const sha256 = createHash("sha256").update(Buffer.concat(parts)).digest("hex");

/**
 * Exports as their ids say: `done` is done at the second question, `changed` has another file than its checksum says, `failed` has failed, and
 * `endless` is never done. The signature of each is `s`.
 */
export function exportRoutes(router: ConnectRouter): void {
  const asked = new Map<string, number>();
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
    async *downloadExport({ exportId, signature }) {
      if (signature !== "s") throw new ConnectError("The signature is wrong", Code.PermissionDenied);
      for (const data of parts) yield { data };
      if (exportId === "changed") yield { data: Buffer.from("more") };
    },
  });
}
