import { fromJson, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { mapInSlices } from "../../concurrency/timeSlices.ts";

/** A part of a message in binary form. Attached to a message as an unknown field, it is copied rather than encoded. */
export type EncodedField = { readonly no: number; readonly wireType: WireType; readonly data: Uint8Array };

/**
 * Rows as the values of a repeated google.protobuf.Struct with the field number `no`, encoded in slices: the message's
 * own codec would encode thousands of rows in one event-loop tick.
 */
export async function encodeRows(rows: readonly JsonObject[], no: number): Promise<EncodedField[]> {
  return mapInSlices(rows, (row) => encodedField(no, toBinary(StructSchema, fromJson(StructSchema, row))));
}

/** A field with the number `no` that holds a message in binary form. */
export function encodedField(no: number, message: Uint8Array): EncodedField {
  return { no, wireType: WireType.LengthDelimited, data: new BinaryWriter().bytes(message).finish() };
}
