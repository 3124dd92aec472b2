import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** A span as OTLP sends it (opentelemetry/proto/trace/v1/trace.proto). */
export type ReceivedSpan = {
  /** Of the process: `service.name`. */
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty without one. */
  readonly parentId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** 2 for an error. */
  readonly status: number;
};

/** What receives spans over OTLP/HTTP as protobuf; `raw` is all that was ever sent, headers included. */
export type OtlpReceiver = {
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  readonly raw: () => string;
  /** Answers each further request so. */
  answer(status: number): void;
  close(): Promise<void>;
};

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const raw: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      raw.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}\n${body.toString("latin1")}`);
      if (status === 200) spans.push(...spansOf(body));
      response.writeHead(status, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has this kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    raw: () => raw.join("\n"),
    answer: (given) => {
      status = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The fields of a message by their numbers, undecoded. */
type Fields = ReadonlyMap<number, readonly (Uint8Array | number)[]>;

function spansOf(body: Uint8Array): ReceivedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1).flatMap((given) => Object.entries(attributesOf(given, 1)));
    const service = String(Object.fromEntries(resource)["service.name"]);
    const scopes = messages(resourceSpans, 2);
    return scopes.flatMap((scope) => messages(scope, 2)).map((span) => spanOf(span, service));
  });
}

function spanOf(span: Fields, service: string): ReceivedSpan {
  return {
    service,
    traceId: bytes(span, 1).toString("hex"),
    spanId: bytes(span, 2).toString("hex"),
    parentId: bytes(span, 4).toString("hex"),
    name: bytes(span, 5).toString(),
    attributes: attributesOf(span, 9),
    status: Number(messages(span, 15)[0]?.get(3)?.[0] ?? 0),
  };
}

function attributesOf(message: Fields, field: number): Record<string, string | number> {
  const pairs = messages(message, field).map((pair) => {
    const [value] = messages(pair, 2);
    const number = value?.get(2)?.[0] ?? value?.get(3)?.[0];
    return [bytes(pair, 1).toString(), typeof number === "number" ? number : bytes(value ?? new Map(), 1).toString()];
  });
  return Object.fromEntries(pairs);
}

function fieldsOf(body: Uint8Array): Fields {
  const reader = new BinaryReader(body);
  const fields = new Map<number, (Uint8Array | number)[]>();
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    const values = fields.get(field) ?? [];
    fields.set(field, values);
    if (type === WireType.LengthDelimited) values.push(reader.bytes());
    else if (type === WireType.Varint) values.push(Number(reader.uint64()));
    else reader.skip(type, field);
  }
  return fields;
}

function messages(fields: Fields, field: number): Fields[] {
  return (fields.get(field) ?? []).flatMap((value) => (typeof value === "number" ? [] : [fieldsOf(value)]));
}

function bytes(fields: Fields, field: number): Buffer {
  const value = fields.get(field)?.[0];
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0);
}
