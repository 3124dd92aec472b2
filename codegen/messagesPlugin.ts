#!/usr/bin/env node
import { protocGenEs } from "@bufbuild/protoc-gen-es/dist/cjs/src/protoc-gen-es-plugin.js";
/** The buf plugin that writes types and descriptors: protoc-gen-es, with enums that Node can erase. */
import { runNodeJs } from "@bufbuild/protoplugin";
import { erasableEnums } from "./erasableEnums.ts";

runNodeJs({
  name: protocGenEs.name,
  version: protocGenEs.version,
  run(request) {
    const response = protocGenEs.run(request);
    for (const file of response.file) file.content = erasableEnums(file.content);
    return response;
  },
});
