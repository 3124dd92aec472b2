import { createServer } from "node:http";
import { inspect } from "node:util";
import { ConnectError } from "@connectrpc/connect";
import { afterEach, expect, test } from "vitest";
import { createLookout, type LookoutError } from "../../packages/client-js/src/node.ts";
import { systemErrors } from "../../packages/client-js/src/systemErrors.ts";
import { noAnswer, toLookoutError } from "../../packages/client-js/src/toLookoutError.ts";
import { listen } from "./closableServer.ts";

const servers: Awaited<ReturnType<typeof listen>>[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function system(code: string, message: string, more: object = {}): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code, ...more }) });
}

test("https at a port of http says so, and is not tried again", async () => {
  const server = await listen(createServer((_, response) => response.end()));
  servers.push(server);
  let tries = 0;
  const lookout = createLookout({
    baseUrl: server.url.replace("http:", "https:"),
    interceptors: [
      (next) => (request) => {
        tries += 1;
        return next(request);
      },
    ],
  });
  const error = await lookout.links.listLinks({}).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "UNREACHABLE", isTemporary: false });
  expect((error as LookoutError).message).toMatch(/does not speak TLS\. Pass a baseUrl that begins with http:/);
  expect(tries).toBe(1);
  await lookout.close();
});

test("a certificate that is not trusted is not tried again", () => {
  const thrown = system("DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate");
  const error = toLookoutError(thrown, "https://a.example", systemErrors);
  expect(error).toMatchObject({ code: "UNREACHABLE", isTemporary: false });
});

test.each([
  ["an address", { address: "127.0.0.1", port: 3128 }, "127.0.0.1:3128"],
  ["a name", { hostname: "proxy.example" }, "proxy.example"],
])("a proxy that does not answer is named, by %s", (_, where, named) => {
  const error = noAnswer("https://a.example", system("ECONNREFUSED", "connect ECONNREFUSED", where), systemErrors);
  expect(error).toMatchObject({ code: "UNREACHABLE", isTemporary: true });
  expect(error.message).toContain(
    `Nothing answers at ${named} (ECONNREFUSED), the proxy on the way to https://a.example`,
  );
});

test("Lookout's own address is no proxy", () => {
  const where = { address: "192.0.2.1", port: 443, hostname: "a.example" };
  const error = noAnswer("https://a.example", system("ECONNREFUSED", "connect ECONNREFUSED", where), systemErrors);
  expect(error.message).toMatch(/^Nothing answers at https:\/\/a\.example \(ECONNREFUSED\)\. Check baseUrl/);
});

test("an error in a log has no error of Connect in it", () => {
  const text = inspect(toLookoutError(new ConnectError("HTTP 404"), "https://a.example"));
  expect(text).toContain("LookoutError");
  expect(text).not.toMatch(/ConnectError|rawMessage/);
});
