import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromBinary, type JsonValue, toJson } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, test } from "vitest";
import { buildContract } from "../../packages/contract/buildContract.ts";
import { clientProto } from "../../packages/contract/clientProto.ts";

const folder = mkdtempSync(join(tmpdir(), "lookout-contract-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const contract = join(folder, "contract");
await buildContract(contract);

test("the contract for clients is equal to the service's on the wire", () => {
  const facts = wireFacts(contract);
  expect(facts).toHaveLength(readdirSync("proto/lookout/v1").length);
  expect(facts).toEqual(wireFacts("proto"));
});

test("it has the service's comments and imports only protobuf's own types", () => {
  const files = readdirSync(join(contract, "lookout/v1"));
  expect(files).toEqual(readdirSync("proto/lookout/v1"));
  for (const name of files) {
    const text = readFileSync(join(contract, "lookout/v1", name), "utf8");
    const [, ...imports] = text.split(/^import /m);
    expect(imports.filter((line) => !/^"(?:lookout\/v1|google\/protobuf)\//.test(line))).toEqual([]);
    expect(commentsOf(text)).toEqual(commentsOf(readFileSync(join("proto/lookout/v1", name), "utf8")));
  }
});

test("every proto names the package of each language", () => {
  for (const path of readdirSync("proto", { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".proto")) continue;
    const options = [...readFileSync(join("proto", path), "utf8").matchAll(/^option (\w+) =/gm)].map(
      ([, name]) => name,
    );
    expect(options, path).toEqual([
      "csharp_namespace",
      "go_package",
      "java_multiple_files",
      "java_package",
      "php_namespace",
      "ruby_package",
    ]);
  }
});

test("no proto has a name that Go takes for a file of one system only", () => {
  // Go builds maintenance_windows.pb.go on Windows only.
  const special =
    /_(?:aix|android|darwin|dragonfly|freebsd|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|386|amd64|arm|arm64|wasm|test)\.proto$/;
  expect(readdirSync("proto/lookout/v1").filter((name) => special.test(name))).toEqual([]);
});

test("options of other files go, wherever they stand; comments and strings stay as they are", () => {
  const source = `
import "buf/validate/validate.proto";
import "google/protobuf/struct.proto";
option go_package = "a;b"; // [not an option]
message A {
  option (gateway.v1.message) = {shorthand: "a; ]"};
  string a = 1 [(buf.validate.field).string = {in: ["x", "]"]}, json_name = "b"];
  string b = 2 [
    deprecated = true,
    (buf.validate.field).string.max_len = 1
  ]; // b
  string c = 3 [(buf.validate.field).required = true];
}
service S {
  rpc A(A) returns (A) {
    option (access.v1.requirement) = {open: true};
  }
}`;
  expect(clientProto(source).replaceAll(/\s+/g, " ")).toBe(
    ' import "google/protobuf/struct.proto"; option go_package = "a;b"; // [not an option]' +
      ' message A { string a = 1 [json_name = "b"]; string b = 2 [deprecated = true]; // b' +
      " string c = 3; } service S { rpc A(A) returns (A); }",
  );
});

/** The descriptors of lookout.v1 without what only the service reads. */
function wireFacts(input: string): readonly unknown[] {
  const image = execFileSync("node_modules/.bin/buf", ["build", input, "--exclude-source-info", "-o", "-"], {
    maxBuffer: 2 ** 26,
  });
  // Unknown fields, which the options of other files are here, have no JSON.
  const { file } = toJson(FileDescriptorSetSchema, fromBinary(FileDescriptorSetSchema, image)) as {
    file: { package: string; dependency?: string[] }[];
  };
  return file
    .filter((each) => each.package === "lookout.v1")
    .map((each) => ({
      ...(withoutEmptyOptions(each as JsonValue) as object),
      dependency: each.dependency?.filter((path) => /^(lookout|google\/protobuf)\//.test(path)) ?? [],
    }));
}

function commentsOf(text: string): readonly string[] {
  return text.match(/^\s*\/\/.*/gm) ?? [];
}

function withoutEmptyOptions(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmptyOptions);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value)
    .map(([name, member]) => [name, withoutEmptyOptions(member)] as const)
    .filter(([name, member]) => name !== "options" || JSON.stringify(member) !== "{}");
  return Object.fromEntries(kept);
}
