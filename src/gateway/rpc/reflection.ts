import { create, createRegistry, type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
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
    // With all imports, so that clients need one request.
    const fileDescriptorProto = withDependencies([file]).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
    return { case: "fileDescriptorResponse" as const, value: { fileDescriptorProto } };
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
  const files = withDependencies(roots);
  const registry = createRegistry(...files);
  const extensions = files.flatMap((file) => file.extensions);
  const byMethod = ({ services }: DescFile, symbol: string) =>
    services.some(({ typeName, methods }) => methods.some(({ name }) => `${typeName}.${name}` === symbol));
  return {
    extensionNumbers: (typeName: string) =>
      extensions.filter((known) => known.extendee.typeName === typeName).map((known) => known.number),
    find({ case: kind, value }: ServerReflectionRequest["messageRequest"]): DescFile | undefined {
      if (kind === "fileByFilename") return files.find((file) => file.proto.name === value);
      if (kind === "fileContainingSymbol")
        return registry.get(value)?.file ?? files.find((file) => byMethod(file, value));
      if (kind !== "fileContainingExtension") return undefined;
      return extensions.find(
        ({ extendee, number }) => extendee.typeName === value.containingType && number === value.extensionNumber,
      )?.file;
    },
  };
}

/** Files and all their imports. */
function withDependencies(roots: readonly DescFile[]): readonly DescFile[] {
  const files = new Set(roots);
  // The set grows meanwhile, and what is added is visited too.
  for (const file of files) for (const dependency of file.dependencies) files.add(dependency);
  return [...files];
}
