import type { DescMessage, Message } from "@bufbuild/protobuf";
import { type Codec, codecs } from "../gen/lookout/codecs.js";

/** A codec whose message type is known only by its descriptor. */
type AnyCodec = Codec<Message, object>;

// Each codec is only called with values of its own message, which the type system cannot express for a table.
const byName = codecs as unknown as Readonly<Record<string, AnyCodec | undefined>>;

/** The generated codec of a message. Throws when none was generated. */
export function codecOf(type: DescMessage): AnyCodec {
  const codec = byName[type.typeName];
  if (codec === undefined) throw new Error(`${type.typeName} has no codec. Run npm run generate`);
  return codec;
}
