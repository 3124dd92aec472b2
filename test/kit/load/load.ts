import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

export type LoadResult = {
  readonly answers: number;
  readonly errors: number;
  readonly seconds: number;
  /** Of each answered request, from its start to the end of its answer. */
  readonly latenciesMs: readonly number[];
};

export type LoadRequest = { readonly body: string; readonly headers?: Readonly<Record<string, string>> };

type LoadOptions = {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly next: () => LoadRequest;
  /** Requests a second, all connections together; as many as are answered unless given. */
  readonly rate?: number;
  /** The load ends early after this many requests. */
  readonly requests?: number;
  readonly status?: number;
  readonly accepts?: (text: string) => boolean;
};

/** Sends a request after the other on each connection, each with a body of its own, which common load tools do not support. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const {
    connections,
    seconds,
    next,
    rate,
    requests = Number.POSITIVE_INFINITY,
    status = 200,
    accepts = () => true,
  } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latenciesMs: number[] = [];
  let errors = 0;
  let sent = 0;
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < endMs && sent < requests) {
        sent += 1;
        if (rate !== undefined) await pause(Math.max(0, startMs + (sent / rate) * 1_000 - performance.now()));
        const outgoing = next();
        const sentMs = performance.now();
        const answer = await post(options, agent, outgoing);
        if (answer.status === status && accepts(answer.text)) latenciesMs.push(performance.now() - sentMs);
        else errors += 1;
      }
    }),
  );
  agent.destroy();
  return { answers: latenciesMs.length, errors, seconds: (performance.now() - startMs) / 1_000, latenciesMs };
}

function post(
  { url }: LoadOptions,
  agent: Agent,
  { body, headers }: LoadRequest,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const outgoing = request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "user-agent": browser,
          ...headers,
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    outgoing.on("error", () => resolve({ status: 0, text: "" }));
    outgoing.end(body);
  });
}

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
