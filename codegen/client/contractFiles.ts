import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createFileRegistry, type DescFile, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const buf = join(import.meta.dirname, "../../node_modules/.bin/buf");

/** The descriptors of the contract in a folder, with its comments. */
export async function contractFiles(contract: string): Promise<readonly DescFile[]> {
  const options = { encoding: "buffer", maxBuffer: 2 ** 26 } as const;
  const { stdout } = await promisify(execFile)(
    buf,
    ["build", contract, "--as-file-descriptor-set", "-o", "-"],
    options,
  );
  return [...createFileRegistry(fromBinary(FileDescriptorSetSchema, stdout)).files];
}
