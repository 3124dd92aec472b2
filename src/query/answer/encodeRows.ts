import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { mapInSlices } from "../../concurrency/timeSlices.ts";

/** A part of a message in binary form. Attached to a message as an unknown field, it is copied rather than encoded. */
export type EncodedField = { readonly no: number; readonly wireType: WireType; readonly data: Uint8Array };

/**
 * Rows as the values of a repeated google.protobuf.Struct with the field number `no`, encoded in slices: the message's
 * own codec would encode thousands of rows in one event-loop tick.
 */
export async function encodeRows(rows: readonly JsonObject[], no: number): Promise<EncodedField[]> {
  return mapInSlices(rows, (row) => encodedField(no, (writer) => writeStruct(writer, row)));
}

/** A field with the number `no` that holds what `write` writes. */
export function encodedField(no: number, write: (writer: BinaryWriter) => void): EncodedField {
  const writer = new BinaryWriter().fork();
  write(writer);
  return { no, wireType: WireType.LengthDelimited, data: writer.join().finish() };
}

/** A google.protobuf.Struct: a map whose entries have the key as field 1 and the value as field 2. */
function writeStruct(writer: BinaryWriter, object: JsonObject): void {
  for (const [key, value] of Object.entries(object)) {
    begin(writer, 1).tag(1, WireType.LengthDelimited).string(key);
    begin(writer, 2);
    writeValue(writer, value);
    writer.join().join();
  }
}

/** A google.protobuf.Value, whose fields are 1 null, 2 number, 3 text, 4 bool, 5 Struct, 6 ListValue. */
function writeValue(writer: BinaryWriter, value: JsonValue): void {
  if (value === null) writer.tag(1, WireType.Varint).int32(0);
  else if (typeof value === "number") writer.tag(2, WireType.Bit64).double(value);
  else if (typeof value === "string") writer.tag(3, WireType.LengthDelimited).string(value);
  else if (typeof value === "boolean") writer.tag(4, WireType.Varint).bool(value);
  else if (Array.isArray(value)) {
    begin(writer, 6);
    for (const item of value) {
      begin(writer, 1);
      writeValue(writer, item);
      writer.join();
    }
    writer.join();
  } else {
    begin(writer, 5);
    writeStruct(writer, value);
    writer.join();
  }
}

function begin(writer: BinaryWriter, field: number): BinaryWriter {
  return writer.tag(field, WireType.LengthDelimited).fork();
}
