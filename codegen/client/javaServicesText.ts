import { type DescFile, type DescMessage, type DescMethod, type DescService, ScalarType } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { callNote } from "./callNote.ts";
import { clientServices, deletes, type PagedMethod, pagedMethod, type Repeats, repeatsOf } from "./clientServices.ts";
import { javadoc } from "./javaRowsText.ts";
import { capitalised } from "./rowTypes.ts";

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
  const paged = methods.flatMap((method) => pagedMethod(method)?.items.message.name ?? []);
  const used = new Set([...methods.flatMap(({ input, output }) => [input.name, output.name]), ...paged]);
  const imports = [...used].toSorted().map((each) => `import dev.lookout.v1.${each};\n`);
  return `// Code generated from the contract. Do not edit.
package dev.lookout;

${imports.join("")}import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

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

const failure = "@throws LookoutException if the call fails: its code says why";
const refusal = "@throws IllegalArgumentException if a number of the request is NaN or infinite, with its path";

/** A comment of a method, with a paragraph for each of the contract's, what callNote says, and `more`. */
function noteText(method: DescMethod, tags: readonly string[], more = ""): string {
  const ofEvents = withEvents.includes(method.input.name)
    ? "Is repeated after a temporary failure: events without an id get one, so that each counts once."
    : undefined;
  const note = callNote(method, ofEvents).replaceAll(/`([^`]*)`/g, "{@code $1}");
  const text = [javadoc(commentOf(method)), note, more].filter((part) => part !== "").join("\n\n");
  const lines = [...text.replaceAll("\n\n", "\n\n<p>").split("\n"), "", ...tags];
  return `/**\n${lines.map((line) => `   * ${line}`.trimEnd()).join("\n")}\n   */`;
}

function methodText(method: DescMethod): string {
  const { localName, input, output } = method;
  if (isStream(method)) {
    const note = noteText(method, [refusal]);
    return `
  ${note}
  public LookoutStream<${output.name}> ${localName}(${input.name} request) {
    return ${localName}(request, RequestOptions.none());
  }

  ${note}
  public LookoutStream<${output.name}> ${localName}(${input.name} request, RequestOptions options) {
    return calls.stream(${constantOf(method)}, request, options);
  }
${filledText(method, `LookoutStream<${output.name}>`)}`;
  }
  const note = noteText(method, [failure, refusal]);
  const repeats = `Repeats.${repeatsName(method)}`;
  const paged = pagedMethod(method);
  const isListOfAll = localName.startsWith("list") && needsNothing(input);
  return `
  ${note}
  public ${output.name} ${localName}(${input.name} request) {
    return ${localName}(request, RequestOptions.none());
  }

  ${note}
  public ${output.name} ${localName}(${input.name} request, RequestOptions options) {
    return calls.unary(${constantOf(method)}, ${repeats}, request, options);
  }

  /** The same without waiting: {@link #${localName}(${input.name})}. The future fails with the LookoutException. */
  public CompletableFuture<${output.name}> ${localName}Async(${input.name} request) {
    return ${localName}Async(request, RequestOptions.none());
  }

  /** The same without waiting: {@link #${localName}(${input.name}, RequestOptions)}. The future fails with the LookoutException. */
  public CompletableFuture<${output.name}> ${localName}Async(${input.name} request, RequestOptions options) {
    return calls.async(${constantOf(method)}, ${repeats}, request, options);
  }
${filledText(method, output.name)}${isListOfAll ? emptyText(output.name, localName, input) : ""}${paged === undefined ? "" : pagesText(method, paged)}`;
}

/** The forms that take what fills the request. */
function filledText(method: DescMethod, answer: string): string {
  const { localName, input, methodKind } = method;
  const filled = `Calls.filled(${input.name}.newBuilder(), request).build()`;
  const isUnary = methodKind === "unary";
  const how = "The request is filled in: {@code r -> r.set…}";
  const text = (type: string, call: string) => {
    const note = noteText(method, isUnary && call === localName ? [failure, refusal] : [refusal], how);
    return `
  ${note}
  public ${type} ${call}(Consumer<${input.name}.Builder> request) {
    return ${call}(${filled});
  }

  ${note}
  public ${type} ${call}(Consumer<${input.name}.Builder> request, RequestOptions options) {
    return ${call}(${filled}, options);
  }
`;
  };
  const async = isUnary ? text(`CompletableFuture<${answer}>`, `${localName}Async`) : "";
  return `${text(answer, localName)}${async}`;
}

const repeatNames: Readonly<Record<Repeats, string>> = { safe: "SAFE", "with key": "WITH_KEY", no: "NO" };

/** Events get ids, and a delete whose answer was lost is done. */
function repeatsName(method: DescMethod): string {
  if (withEvents.includes(method.input.name)) return "WITH_EVENT_IDS";
  return deletes(method) ? "DELETES" : repeatNames[repeatsOf(method)];
}

/** As in EventIds.java. */
const withEvents: readonly string[] = ["TrackRequest", "BatchRequest", "CollectRequest"];

function pagesText({ localName, input }: DescMethod, { items }: PagedMethod): string {
  const item = items.message.name;
  const all = localName.replace(/^list/, "all");
  return `
  /**
   * Goes through all pages of {@link #${localName}(${input.name})}, and asks for each when it is needed. The request's limit is the size
   * of a page.
   */
  public Pages<${item}> ${all}(${input.name} request) {
    return ${all}(request, RequestOptions.none());
  }

  /** The same with options of each call: {@link #${all}(${input.name})}. */
  public Pages<${item}> ${all}(${input.name} request, RequestOptions options) {
    return new Pages<>(
        cursor -> {
          var page = ${localName}(cursor == null ? request : request.toBuilder().setCursor(cursor).build(), options);
          return new Pages.Page<>(page.get${capitalised(items.name)}List(), page.getNextCursor());
        });
  }

  /** The same with a request that is filled in: {@link #${all}(${input.name})}. */
  public Pages<${item}> ${all}(Consumer<${input.name}.Builder> request) {
    return ${all}(Calls.filled(${input.name}.newBuilder(), request).build());
  }

  /** The same with a request that is filled in, and options of each call: {@link #${all}(${input.name})}. */
  public Pages<${item}> ${all}(Consumer<${input.name}.Builder> request, RequestOptions options) {
    return ${all}(Calls.filled(${input.name}.newBuilder(), request).build(), options);
  }
${needsNothing(input) ? emptyText(`Pages<${item}>`, all, input) : ""}`;
}

/** The form without a request. */
function emptyText(answer: string, call: string, input: DescMessage): string {
  return `
  /** The same with an empty request: {@link #${call}(${input.name})}. */
  public ${answer} ${call}() {
    return ${call}(${input.name}.getDefaultInstance());
  }
`;
}

/** Whether each field of a request may be left out. A truth value that is left out is false. */
function needsNothing({ fields }: DescMessage): boolean {
  return fields.every(
    (field) =>
      field.fieldKind === "list" ||
      (field.fieldKind === "scalar" && (field.proto.proto3Optional || field.scalar === ScalarType.BOOL)),
  );
}

function isStream(method: DescMethod): boolean {
  if (method.methodKind === "unary") return false;
  if (method.methodKind === "server_streaming") return true;
  throw new Error(`${method} streams its request, which the Java client cannot do yet`);
}
