import { create, type DescFile, type DescMessage, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectRouter } from "@connectrpc/connect";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.ts";
import {
  ExtensionRequestSchema,
  type ServerReflectionRequest,
  ServerReflection as V1,
} from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import {
  type ServerReflectionRequest as ServerReflectionRequestAlpha,
  ServerReflection as V1Alpha,
} from "../../gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { file_lookout_v1_error } from "../../gen/lookout/v1/error_pb.ts";

/** No RPC mentions the details of errors, and clients such as grpcurl can print only what reflection knows. */
const errorFiles = [file_google_rpc_error_details, file_lookout_v1_error];

/** Serves gRPC server reflection (grpc/grpc, doc/server-reflection.md), v1 and v1alpha, from the generated descriptors. */
export function addReflection(router: ConnectRouter, services: readonly DescService[]): void {
  const described = [...services, V1, V1Alpha];
  const index = indexFiles([...described.map((service) => service.file), ...errorFiles]);
  const serviceNames = described.map((service) => ({ name: service.typeName }));
  const answer = (request: ServerReflectionRequest["messageRequest"]) => {
    if (request.case === "listServices")
      return { case: "listServicesResponse" as const, value: { service: serviceNames } };
    if (request.case === "allExtensionNumbersOfType") {
      const extensionNumber = index.extensionNumbers(request.value);
      return { case: "allExtensionNumbersResponse" as const, value: { baseTypeName: request.value, extensionNumber } };
    }
    const file = index.find(request);
    if (file === undefined)
      return { case: "errorResponse" as const, value: { errorCode: Code.NotFound, errorMessage: "not found" } };
    return { case: "fileDescriptorResponse" as const, value: { fileDescriptorProto: withDependencies(file) } };
  };
  // The two versions have the same fields under different type names.
  router.service(V1, {
    async *serverReflectionInfo(requests) {
      for await (const originalRequest of requests)
        yield {
          validHost: originalRequest.host,
          originalRequest,
          messageResponse: answer(originalRequest.messageRequest),
        };
    },
  });
  router.service(V1Alpha, {
    async *serverReflectionInfo(requests) {
      for await (const originalRequest of requests)
        yield {
          validHost: originalRequest.host,
          originalRequest,
          messageResponse: answer(narrow(originalRequest.messageRequest)),
        };
    },
  });
}

type AlphaRequest = ServerReflectionRequestAlpha["messageRequest"];

function narrow(request: AlphaRequest): ServerReflectionRequest["messageRequest"] {
  return request.case === "fileContainingExtension"
    ? {
        case: request.case,
        value: create(ExtensionRequestSchema, {
          containingType: request.value.containingType,
          extensionNumber: request.value.extensionNumber,
        }),
      }
    : request;
}

function indexFiles(roots: readonly DescFile[]) {
  const byName = new Map<string, DescFile>();
  const bySymbol = new Map<string, DescFile>();
  const addMessage = (message: DescMessage, file: DescFile): void => {
    bySymbol.set(message.typeName, file);
    for (const inner of message.nestedMessages) addMessage(inner, file);
    for (const inner of message.nestedEnums) bySymbol.set(inner.typeName, file);
  };
  const add = (file: DescFile): void => {
    if (byName.has(file.proto.name)) return;
    byName.set(file.proto.name, file);
    for (const message of file.messages) addMessage(message, file);
    for (const named of [...file.enums, ...file.services, ...file.extensions]) bySymbol.set(named.typeName, file);
    for (const service of file.services)
      for (const method of service.methods) bySymbol.set(`${service.typeName}.${method.name}`, file);
    for (const dependency of file.dependencies) add(dependency);
  };
  for (const root of roots) add(root);
  const extensions = [...byName.values()].flatMap((file) => file.extensions);
  return {
    extensionNumbers: (typeName: string) =>
      extensions.filter((known) => known.extendee.typeName === typeName).map((known) => known.number),
    find(request: ServerReflectionRequest["messageRequest"]): DescFile | undefined {
      if (request.case === "fileByFilename") return byName.get(request.value);
      if (request.case === "fileContainingSymbol") return bySymbol.get(request.value);
      if (request.case === "fileContainingExtension") {
        const { containingType, extensionNumber } = request.value;
        return extensions.find(
          (known) => known.extendee.typeName === containingType && known.number === extensionNumber,
        )?.file;
      }
      return undefined;
    },
  };
}

/** A file and all its imports, so that clients need one request. */
function withDependencies(file: DescFile): Uint8Array[] {
  const files = new Set<DescFile>();
  const add = (next: DescFile): void => {
    if (files.has(next)) return;
    files.add(next);
    for (const dependency of next.dependencies) add(dependency);
  };
  add(file);
  return [...files].map((each) => toBinary(FileDescriptorProtoSchema, each.proto));
}
