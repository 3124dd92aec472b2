import type { DescFile, DescMethod, DescService } from "@bufbuild/protobuf";
import { clientServices, pagedMethod, serviceWords } from "./clientServices.ts";
import { allName } from "./goCallsText.ts";
import { capitalised } from "./rowTypes.ts";

const header = `// Code generated from the contract. DO NOT EDIT.

package lookout

import (
	"context"
	"iter"

	lookoutv1 "lookout.dev/client/lookout/v1"
)
`;

/** The Go source of a method for each list with pages, which goes through all of them. Not yet formatted by gofmt. */
export function goPagesText(files: readonly DescFile[]): string {
  const methods = clientServices(files).flatMap((service) =>
    service.methods.map((method) => pagesText(service, method)),
  );
  return [header, ...methods].join("");
}

function pagesText(service: DescService, method: DescMethod): string {
  const paged = pagedMethod(method);
  if (paged === undefined) return "";
  const { input, output } = method;
  const call = `${goServiceName(service)}.${method.name}`;
  const item = `*lookoutv1.${paged.items.message.name}`;
  const name = allName(method);
  return `
// ${name} goes through all pages of ${call}, and asks for each when it is needed. It ends with an error's *Error. The request's limit is
// the size of a page. The options are those of each call.
func (c *Client) ${name}(ctx context.Context, request *lookoutv1.${input.name}, options ...CallOption) iter.Seq2[${item}, error] {
	return all(ctx, request, c.${call}, options, (*lookoutv1.${output.name}).Get${capitalised(paged.items.name)},
		(*lookoutv1.${output.name}).GetNextCursor, func(page *lookoutv1.${input.name}, cursor string) { page.Cursor = &cursor })
}
`;
}

/** As in the Client of packages/go/lookout.go. */
function goServiceName(service: DescService): string {
  const initials: readonly string[] = ["api", "llm"];
  return serviceWords(service)
    .map((word) => (initials.includes(word) ? word.toUpperCase() : capitalised(word)))
    .join("");
}
