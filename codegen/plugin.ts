#!/usr/bin/env node
/** The buf plugin that writes the JSON gateway: codecs with every rule, their types, handler types, OpenAPI. */
import { registerHooks } from "node:module";
import { createEcmaScriptPlugin, runNodeJs } from "@bufbuild/protoplugin";
import { erasableEnums } from "./erasableEnums.ts";

// The descriptors of the options may have been generated with enums, which Node cannot run.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    return url.endsWith("_pb.ts") ? { ...loaded, source: erasableEnums(String(loaded.source)) } : loaded;
  },
});
const { generate } = await import("./generate.ts");

runNodeJs(createEcmaScriptPlugin({ name: "lookout-gateway", version: "v1", generateTs: generate }));
