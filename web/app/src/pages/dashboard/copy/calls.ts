import type { LookoutQuery } from "../../../../../../packages/client-js/src/query.ts";

export type CallForm = "curl" | "grpc" | "typescript";

/** The same question as code. The reader has to fill in the key and, for another website, the id. */
export function callOf(form: CallForm, question: LookoutQuery, baseUrl: string): string {
  const { websiteId = "", timezone, ...query } = question;
  switch (form) {
    case "curl": {
      const zone = timezone === undefined ? "" : `&timezone=${encodeURIComponent(timezone)}`;
      const address = `${baseUrl}/v1/query?website_id=${encodeURIComponent(websiteId)}${zone}`;
      return `curl ${quoted(address)} -H "x-api-key: $KEY" -H 'content-type: application/json' -d ${quoted(json(query))}`;
    }
    case "grpc": {
      const { protocol, host } = new URL(baseUrl);
      const parameters = query.parameters.map((parameter) =>
        typeof parameter === "string" ? { name: parameter } : parameter,
      );
      const { compare } = query;
      const comparison = typeof compare === "string" ? { compare: { period: compare } } : {};
      const message = { website_id: websiteId, timezone, query: { ...query, ...comparison, parameters } };
      const port = /:\d+$/.test(host) ? host : `${host}:${protocol === "https:" ? 443 : 80}`;
      const plain = protocol === "https:" ? "" : "-plaintext ";
      return `grpcurl ${plain}-H "x-api-key: $KEY" -d ${quoted(json(message))} ${port} lookout.v1.QueryService/Query`;
    }
    case "typescript":
      return [
        'import { createLookout } from "@lookout/client";',
        "",
        `const lookout = createLookout({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: process.env.KEY });`,
        `const { data } = await lookout.query(${json(question)});`,
      ].join("\n");
  }
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}

/** Quotes a text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
