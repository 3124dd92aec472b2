#!/usr/bin/env node
/** The buf plugin that writes the JSON gateway: codecs with every rule, their types, handler types, OpenAPI. */
import { createEcmaScriptPlugin, runNodeJs } from "@bufbuild/protoplugin";
import { generate } from "./generate.ts";

runNodeJs(createEcmaScriptPlugin({ name: "lookout-gateway", version: "v1", generateTs: generate }));
