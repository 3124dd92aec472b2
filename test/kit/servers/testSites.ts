import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A web server for every host that ends in `.example`. */
export type TestSites = {
  /** Address of a page on a host: `pageUrl("shop.example", "/about")`. */
  pageUrl(host: string, path: string): string;
  close(): Promise<void>;
};

/**
 * Serves every path as a page that includes `scriptTag(host)`. Pages under `/app` belong to a single-page site: its links change the
 * address through the history API and set the title later. `/files/` are downloads. `passed` are paths that are passed on to an address.
 */
export async function startTestSites(
  scriptTag: (host: string) => string,
  passed: Readonly<Record<string, string>> = {},
): Promise<TestSites> {
  const server = createServer((request, response) => {
    const host = request.headers.host?.split(":")[0] ?? "";
    const path = request.url?.split("?")[0] ?? "/";
    const target = passed[path];
    if (target !== undefined) return void passOn(target, request, response);
    if (path.startsWith("/files/")) {
      response
        .writeHead(200, { "content-type": "application/pdf", "content-disposition": "attachment" })
        .end("%PDF-1.4");
      return;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      path.startsWith("/app") ? singlePage(scriptTag(host)) : page(path, scriptTag(host), request.headers.host ?? ""),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    pageUrl: (host, path) => `http://${host}:${port}${path}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** As a reverse proxy does. */
async function passOn(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "", headers } = request;
  const sent = Buffer.concat(await request.toArray());
  const answer = await fetch(`${target}${new URL(url, "http://site").search}`, {
    method,
    headers: { "user-agent": headers["user-agent"] ?? "" },
    ...(method === "GET" ? {} : { body: sent }),
  });
  const type = answer.headers.get("content-type") ?? "";
  response.writeHead(answer.status, { "content-type": type }).end(Buffer.from(await answer.arrayBuffer()));
}

function page(path: string, script: string, host: string): string {
  const port = host.split(":")[1];
  return `<!doctype html><html><head><title>Page ${path}</title>${script}</head><body style="height:3000px">
    <h1>Page ${path}</h1>
    <a id="about" href="/about?token=secret">About</a>
    <a id="file" href="/files/plan.pdf">Plan</a>
    <a id="out" href="http://partner.example:${port}/offer"> Our <b>partner</b> </a>
    <a id="mail" href="mailto:a@shop.example">Mail</a>
    <button id="throw" onclick="setTimeout(function () { throw new TypeError('boom'); }); Promise.reject(new Error('late'))">Throw</button>
    <button data-track="signup" data-track-plan="pro" data-other="x"><span id="signup">Sign up</span></button>
  </body></html>`;
}

function singlePage(script: string): string {
  return `<!doctype html><html><head><title>App</title>${script}</head><body><h1>App</h1><script>
    function go(path, title, verb) {
      history[verb || "pushState"]({}, "", path);
      setTimeout(function () { document.title = title; }, 50);
    }
  </script></body></html>`;
}
