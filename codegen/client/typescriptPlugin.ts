#!/usr/bin/env node
/** The buf plugin of the TypeScript client: protoc-gen-es, with the types of value sets where the contract restricts a text, names of fields, and Date for times. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { CodeGeneratorResponseSchema } from "@bufbuild/protobuf/wkt";
import { alwaysSet } from "./alwaysSet.ts";
import { namedTypes } from "./namedTypes.ts";
import { restrictedMessages } from "./restrictedMessages.ts";
import { valueSets } from "./valueSets.ts";

const protocGenEs = fileURLToPath(
  new URL("../../node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es", import.meta.url),
);

const { stdout, stderr, status } = spawnSync(process.execPath, [protocGenEs], {
  input: readFileSync(0),
  maxBuffer: 2 ** 28,
});
if (status !== 0) throw new Error(`protoc-gen-es failed: ${stderr}`);

const response = fromBinary(CodeGeneratorResponseSchema, stdout);
const types = namedTypes(valueSets());
for (const file of response.file)
  if (file.name.startsWith("lookout/v1/")) file.content = restrictedMessages(file.content, types, alwaysSet);
process.stdout.write(toBinary(CodeGeneratorResponseSchema, response));
