import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { callsByPath } from "../../codegen/client/callsByPath.ts";
import { serviceWords } from "../../codegen/client/clientServices.ts";
import { contractFiles } from "../../codegen/client/contractFiles.ts";
import { snakeCase } from "../../codegen/client/pythonMethodsText.ts";
import { pythonRowsText } from "../../codegen/client/pythonRowsText.ts";
import { pythonServicesText } from "../../codegen/client/pythonServicesText.ts";
import { documentedStub } from "../../codegen/client/pythonStubText.ts";
import { pythonTimesText } from "../../codegen/client/pythonTimesText.ts";
import { pythonValuesText, restrictedStub } from "../../codegen/client/pythonValuesText.ts";
import { testContractText } from "../../codegen/client/testContractText.ts";
import { valueSets } from "../../codegen/client/valueSets.ts";
import { webhookExamplesText } from "../../codegen/client/webhookEvents.ts";
import { cacheFolder } from "../cacheFolder.ts";

const source = import.meta.dirname;
const run = promisify(execFile);

/** What generates and packs: the version of grpcio-tools is the lowest grpcio that the generated code runs with. */
const tools = ["grpcio-tools==1.85.1", "mypy-protobuf==5.1.0", "setuptools==84.2.1", "wheel==0.46.1"];

/** Generates the Python package from the contract in dist/contract and the catalogue, and packs it as a wheel. Resolves with its name. */
export async function buildPython(dist: string, version: string): Promise<string> {
  const bin = await pythonTools();
  const folder = join(dist, "python");
  const contract = join(dist, "contract");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of ["lookout", "README.md", "pyproject.toml"])
    await cp(join(source, name), join(folder, name), { recursive: true });
  await cp(join(source, "../../LICENSE"), join(folder, "LICENSE"));
  const protos = (await readdir(join(contract, "lookout/v1"))).map((name) => join("lookout/v1", name));
  const outputs = ["python", "pyi"].map((name) => `--${name}_out=${folder}`);
  await run(join(bin, "python"), ["-m", "grpc_tools.protoc", "-I", contract, ...outputs, ...protos], {
    env: { ...process.env, PATH: `${bin}:${process.env["PATH"]}` },
  });
  await writeFile(join(folder, "lookout/v1/__init__.py"), "");
  await writeFile(join(folder, "lookout/query_types.py"), pythonRowsText());
  const sets = valueSets();
  await writeFile(join(folder, "lookout/values.py"), pythonValuesText(sets));
  const described = await contractFiles(contract);
  for (const name of await readdir(join(folder, "lookout/v1"))) {
    const stub = join(folder, "lookout/v1", name);
    if (!name.endsWith(".pyi")) continue;
    const restricted = restrictedStub(await readFile(stub, "utf8"), sets);
    await writeFile(stub, documentedStub(restricted, described));
  }
  const nameOfCall = (words: readonly string[], call: string) => `${words.join("_")}.${snakeCase(call)}`;
  await writeFile(join(folder, "lookout/_services.py"), pythonServicesText(described, ""));
  await writeFile(join(folder, "lookout/_aio_services.py"), pythonServicesText(described, "Async"));
  await writeFile(join(folder, "lookout/_time_fields.py"), pythonTimesText(described));
  await writeFile(join(folder, "lookout/_webhook_samples.json"), webhookExamplesText());
  const byPath = callsByPath(described, (method) => nameOfCall(serviceWords(method.parent), method.localName));
  await writeFile(join(folder, "lookout/_calls_by_path.json"), `${JSON.stringify(Object.fromEntries(byPath))}\n`);
  await writeFile(join(folder, "lookout/_test_contract.json"), testContractText(described, nameOfCall));
  const wheel = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", dist, "."];
  const manifest = join(folder, "pyproject.toml");
  await writeFile(manifest, (await readFile(manifest, "utf8")).replace(/^version = .*/m, `version = "${version}"`));
  await run(join(bin, "python"), wheel, { cwd: folder });
  return `lookout_client-${version}-py3-none-any.whl`;
}

/** The programs of a virtual environment with the tools, which is made once. Resolves with their folder. */
async function pythonTools(): Promise<string> {
  const folder = join(cacheFolder(), `python-${tools.join("-").replaceAll(/[^\w.-]/g, "")}`);
  const bin = join(folder, "bin");
  const stamp = join(folder, "complete");
  if (!existsSync(stamp)) {
    // Not made elsewhere and renamed: the programs of an environment know their own path.
    await rm(folder, { recursive: true, force: true });
    await run("python3", ["-m", "venv", folder]);
    await run(join(bin, "python"), ["-m", "pip", "install", "--quiet", ...tools]);
    await writeFile(stamp, "");
  }
  return bin;
}
