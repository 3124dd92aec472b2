import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";

/** What a request is made of: a message or an object with its members, of which the contract requires these. */
export type Init<
  Desc extends DescMessage,
  Required extends keyof MessageInitShape<Desc> = never,
> = MessageInitShape<Desc> & { readonly [Name in Required]-?: Exclude<MessageInitShape<Desc>[Name], undefined> };
