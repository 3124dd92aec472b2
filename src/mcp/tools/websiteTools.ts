import type { Tool } from "./tool.ts";

/** The websites whose ids all other tools take. */
export const listWebsites: Tool = {
  name: "list_websites",
  title: "List websites",
  description:
    "Lists the websites that the API key reaches, with their ids, domains and time zones. Other tools take these ids.",
  input: { type: "object", properties: {} },
  output: { answerOf: "listWebsites" },
  howToGetMore: "Use a key that is limited to the websites you need.",
  run: (_, call) => call("WebsiteService.ListWebsites", {}),
};
