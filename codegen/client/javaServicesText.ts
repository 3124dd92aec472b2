import type { DescFile, DescMethod, DescService } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { clientServices } from "./clientServices.ts";
import { javadoc } from "./javaRowsText.ts";

/**
 * The Java sources by path of a class for each service of the contract that takes an API key. It makes the calls and throws
 * LookoutExceptions.
 */
export function javaServiceFiles(files: readonly DescFile[]): Record<string, string> {
  return Object.fromEntries(
    clientServices(files).map((service) => [`dev/lookout/${service.name}.java`, serviceText(service)]),
  );
}

function serviceText(service: DescService): string {
  const { name, methods } = service;
  const used = new Set(methods.flatMap(({ input, output }) => [input.name, output.name]));
  const imports = [...used].toSorted().map((each) => `import dev.lookout.v1.${each};\n`);
  return `// Code generated from the contract. Do not edit.
package dev.lookout;

${imports.join("")}import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;

/** ${javadoc(commentOf(service))} */
public final class ${name} {
${methods.map((method) => descriptorText(service, method)).join("")}
  private final Calls calls;

  ${name}(Calls calls) {
    this.calls = calls;
  }
${methods.map(methodText).join("")}}
`;
}

function descriptorText({ typeName }: DescService, method: DescMethod): string {
  const { name, input, output } = method;
  const type = isStream(method) ? "SERVER_STREAMING" : "UNARY";
  return `  private static final MethodDescriptor<${input.name}, ${output.name}> ${constantOf(method)} =
      Calls.method(
          "${typeName}/${name}",
          MethodType.${type},
          ${input.name}.getDefaultInstance(),
          ${output.name}.getDefaultInstance());
`;
}

/** `GetLinkQr` as `GET_LINK_QR`. */
function constantOf({ name }: DescMethod): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();
}

function methodText(method: DescMethod): string {
  const [call, answer] = isStream(method)
    ? ["stream", `LookoutStream<${method.output.name}>`]
    : ["unary", method.output.name];
  return `
  /** ${javadoc(commentOf(method))} */
  public ${answer} ${method.localName}(${method.input.name} request) {
    return calls.${call}(${constantOf(method)}, request);
  }
`;
}

function isStream(method: DescMethod): boolean {
  if (method.methodKind === "unary") return false;
  if (method.methodKind === "server_streaming") return true;
  throw new Error(`${method} streams its request, which the Java client cannot do yet`);
}
