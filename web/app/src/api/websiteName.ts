import { websites } from "./websites.ts";

/** A website's name; its id if the name is unknown, such as after its deletion. */
export function websiteName(id: string): string {
  const state = websites.value;
  return (state.kind === "loaded" ? state.websites.find((website) => website.id === id)?.name : undefined) ?? id;
}
