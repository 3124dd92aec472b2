import type { DescFile } from "@bufbuild/protobuf";
import { clientMessages, nativeKindOf } from "./nativeFields.ts";
import { capitalised } from "./rowTypes.ts";

const header = `// Code generated from the contract. DO NOT EDIT.

package lookoutv1

import "time"

// timeOf reads a time of an answer. It is zero where there is none.
func timeOf(text string) time.Time {
	moment, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return moment
}
`;

/** The Go source of a method for each field of a message that holds an instant: `link.CreatedAtTime()`. Not yet formatted by gofmt. */
export function goTimesText(files: readonly DescFile[]): string {
  const methods = clientMessages(files).flatMap((message) =>
    message.fields
      .filter((field) => nativeKindOf(field) === "instant")
      .map(({ localName }) => {
        const name = capitalised(localName);
        return `
// ${name}Time is ${name} as a time. It is zero where that is missing.
func (x *${message.name}) ${name}Time() time.Time { return timeOf(x.Get${name}()) }
`;
      }),
  );
  return [header, ...methods].join("");
}
