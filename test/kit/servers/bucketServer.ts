import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An S3-compatible store of one bucket in memory: what the service uses of S3, for files of one piece. */
export type BucketServer = {
  readonly endpoint: string;
  /** By key. */
  readonly files: Map<string, Buffer>;
  /** The HTTP status that every call is refused with; undefined for none. */
  refuseWith: number | undefined;
  close(): Promise<void>;
};

/** Keys that a list answers at once, so that lists have several pages. */
const listedAtOnce = 3;

export async function startBucketServer(bucket: string): Promise<BucketServer> {
  const files = new Map<string, Buffer>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const bucketServer: BucketServer = {
    endpoint: `http://127.0.0.1:${port}`,
    files,
    refuseWith: undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return bucketServer;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://bucket");
    const body = Buffer.concat(await request.toArray());
    const [, name, ...rest] = decodeURIComponent(pathname).split("/");
    const key = rest.join("/");
    if (bucketServer.refuseWith !== undefined || name !== bucket) {
      response.writeHead(bucketServer.refuseWith ?? 404, { "content-type": "application/xml" });
      response.end(`<Error><Code>${name === bucket ? "AccessDenied" : "NoSuchBucket"}</Code></Error>`);
    } else if (request.method === "PUT") {
      files.set(key, body);
      response.writeHead(200, { etag: '"1"' }).end();
    } else if (request.method === "POST" && searchParams.has("delete")) {
      for (const [, deleted = ""] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) files.delete(deleted);
      response.writeHead(200, { "content-type": "application/xml" }).end("<DeleteResult/>");
    } else if (searchParams.get("list-type") === "2") {
      response.writeHead(200, { "content-type": "application/xml" }).end(listOf(files, searchParams));
    } else {
      const found = files.get(key);
      if (found === undefined) response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
      else response.writeHead(200, { "content-length": String(found.length) }).end(found);
    }
  }
}

function listOf(files: ReadonlyMap<string, Buffer>, asked: URLSearchParams): string {
  const prefix = asked.get("prefix") ?? "";
  const after = asked.get("continuation-token") ?? "";
  const isDirect = (key: string) => asked.get("delimiter") === null || !key.slice(prefix.length).includes("/");
  const keys = [...files.keys()].filter((key) => key.startsWith(prefix) && isDirect(key) && key > after).sort();
  const listed = keys.slice(0, listedAtOnce);
  const contents = listed.map((key) => `<Contents><Key>${key}</Key><Size>${files.get(key)?.length}</Size></Contents>`);
  const next = keys.length > listed.length ? `<NextContinuationToken>${listed.at(-1)}</NextContinuationToken>` : "";
  return `<ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>${contents.join("")}${next}</ListBucketResult>`;
}
