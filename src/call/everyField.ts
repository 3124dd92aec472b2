import type { DescMessage, MessageShape } from "@bufbuild/protobuf";

/** What names every field of a message: with `satisfies EveryField`, an answer that forgets a new field does not compile. */
export type EveryField<Schema extends DescMessage> = Readonly<
  Record<Exclude<keyof MessageShape<Schema>, "$typeName" | "$unknown">, unknown>
>;
