import { execFile } from "node:child_process";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { contractFiles } from "../../codegen/client/contractFiles.ts";
import { goCallsText } from "../../codegen/client/goCallsText.ts";
import { goPagesText } from "../../codegen/client/goPagesText.ts";
import { goRoutesText } from "../../codegen/client/goRoutesText.ts";
import { goRowsText } from "../../codegen/client/goRowsText.ts";
import { goTestRulesText } from "../../codegen/client/goTestRulesText.ts";
import { goTimesText } from "../../codegen/client/goTimesText.ts";
import { goValuesText } from "../../codegen/client/goValuesText.ts";
import { requiredFields } from "../../codegen/client/requiredFields.ts";
import { valueSets } from "../../codegen/client/valueSets.ts";
import { webhookExamplesText } from "../../codegen/client/webhookEvents.ts";
import { zipFolder } from "../zipFolder.ts";

const source = import.meta.dirname;
const root = join(source, "../..");

/** As in the options go_package. */
const modulePath = "lookout.dev/client";

const goMod = `module ${modulePath}

go 1.24.0

require (
	connectrpc.com/connect v1.19.2
	google.golang.org/genproto/googleapis/rpc v0.0.0-20250324211829-b45e905df463
	google.golang.org/protobuf v1.36.12
)
`;

/**
 * Generates the Go module from the contract in dist/contract and the catalogue, and packs it as a module proxy in dist/go, from which
 * `go get` installs it with GOPROXY=file://… Resolves with the name of the module's archive.
 */
export async function buildGo(dist: string, version: string): Promise<string> {
  const folder = join(dist, "go-module");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const template = join(dist, "contract/templates/go.yaml");
  const buf = join(root, "node_modules/.bin/buf");
  await promisify(execFile)(buf, ["generate", join(dist, "contract"), "--template", template], { cwd: folder });
  await cp(join(folder, "gen"), folder, { recursive: true });
  await rm(join(folder, "gen"), { recursive: true });
  for (const name of await readdir(source))
    if (name !== "build.ts") await cp(join(source, name), join(folder, name), { recursive: true });
  await writeFile(join(folder, "querytype/types.go"), goRowsText());
  const files = await contractFiles(join(dist, "contract"));
  await writeFile(join(folder, "pages.go"), goPagesText(files));
  await writeFile(join(folder, "services.go"), goCallsText(files));
  await writeFile(join(folder, "callOfRoute.go"), goRoutesText(files));
  await writeFile(join(folder, "lookout/v1/times.go"), goTimesText(files));
  await writeFile(join(folder, "version.go"), versionText(version));
  await mkdir(join(folder, "values"));
  await writeFile(join(folder, "values/values.go"), goValuesText(valueSets()));
  await writeFile(join(folder, "lookouttest/rules.go"), goTestRulesText(valueSets(), requiredFields()));
  const generated = [
    "querytype",
    "values",
    "lookouttest",
    "lookout/v1/times.go",
    "pages.go",
    "services.go",
    "callOfRoute.go",
  ];
  await promisify(execFile)("gofmt", ["-w", ...generated], { cwd: folder });
  await writeFile(join(folder, "webhook/samples.json"), webhookExamplesText());
  await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
  await writeFile(join(folder, "go.mod"), goMod);

  const proxy = join(dist, "go", modulePath, "@v");
  await rm(join(dist, "go"), { recursive: true, force: true });
  await mkdir(proxy, { recursive: true });
  await writeFile(join(proxy, "list"), `v${version}\n`);
  await writeFile(join(proxy, `v${version}.info`), JSON.stringify({ Version: `v${version}` }));
  await writeFile(join(proxy, `v${version}.mod`), goMod);
  await zipFolder(folder, `${modulePath}@v${version}`, join(proxy, `v${version}.zip`));
  return join("go", modulePath, "@v", `v${version}.zip`);
}

function versionText(version: string): string {
  return `package lookout

// Version is that of this module, which the client names to the service.
const Version = ${JSON.stringify(version)}
`;
}
