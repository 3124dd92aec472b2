import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { codecsText } from "../../codegen/codec/codecsText.ts";
import { type Contract, readContract } from "../../codegen/contract.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The generator's output for the protos in a folder next to this file. */
export function generateFrom(folder: string): { contract: Contract; problems: readonly string[]; text: string } {
  const modules = [`test/codegen/${folder}`, "proto", "third_party"].map((path) => ({ path }));
  const config = JSON.stringify({ version: "v2", modules });
  const image = execFileSync(
    "node_modules/.bin/buf",
    ["build", "--config", config, "--as-file-descriptor-set", "-o", "-#format=binpb"],
    { cwd: root, maxBuffer: 64 << 20 },
  );
  const set = fromBinary(FileDescriptorSetSchema, image);
  const services = [...createFileRegistry(set).files]
    .filter((file) => file.proto.package === `${folder}.v1`)
    .flatMap((file) => file.services);
  const problems: string[] = [];
  const contract = readContract(services, problems);
  const text = codecsText(contract, problems);
  return { contract, problems, text };
}
