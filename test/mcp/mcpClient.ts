import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { inject } from "vitest";

/** What a tool answered: its structured content, or the text of its failure. */
export type ToolAnswer = {
  readonly content: Record<string, unknown>;
  readonly failure: string;
  readonly length: number;
};

/** An assistant with a key: the SDK's own client, which checks answers against the tools' schemas. */
export type Assistant = {
  readonly client: Client;
  readonly tools: readonly string[];
  use(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
};

export async function connectAssistant(apiKey: string, baseUrl = inject("lookout").baseUrl): Promise<Assistant> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    client,
    tools: tools.map(({ name }) => name),
    use: async (name, given = {}) => {
      const answer = await client.callTool({ name, arguments: given });
      const [first] = answer.content as { text: string }[];
      const text = first?.text ?? "";
      const content = (answer.structuredContent ?? {}) as Record<string, unknown>;
      return { content, failure: answer.isError === true ? text : "", length: text.length };
    },
  };
}
