import type { ErrorDetail } from "../errors/errors.ts";
import type { WebsiteFunnel } from "../gen/lookout/v1/websites_pb.ts";
import { isStorableText, unstorableText } from "../text/isStorableText.ts";

/** What is wrong with the names of funnels: people choose funnels by them. */
export function wrongFunnels(funnels: readonly WebsiteFunnel[]): ErrorDetail[] {
  const names = funnels.map(({ name }) => name.trim().toLocaleLowerCase("en"));
  return funnels.flatMap(({ name }, index) => {
    const field = `goals.funnels[${index}].name`;
    if (!isStorableText(name)) return [{ field, message: unstorableText }];
    const own = names[index] ?? "";
    if (own === "") return [{ field, message: "must not be blank" }];
    if (names.indexOf(own) < index) return [{ field, message: "must differ from the names of the other funnels" }];
    return [];
  });
}
