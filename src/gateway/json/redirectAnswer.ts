import type { DescField } from "@bufbuild/protobuf";
import type { GatewayApp } from "../gatewayApp.ts";
import { crossOriginHeaders } from "../http/crossOrigin.ts";
import type { HttpCall } from "../http/httpCall.ts";

/**
 * Redirects a browser to the address in a field of the answer (gateway.v1.method.redirect) and returns the status: 302,
 * after a POST 303, so that the body is not sent again (RFC 9110, sections 15.4.3 and 15.4.4).
 */
export function sendRedirect(field: DescField, answer: object, call: HttpCall<GatewayApp>): number {
  const { request, response } = call;
  const status = request.method === "POST" ? 303 : 302;
  // The client has disconnected: writing would throw on an HTTP/2 stream.
  if (response.destroyed) return status;
  const headers: Record<string, string | number> = {
    location: String(Reflect.get(answer, field.localName)),
    // A cached redirect would bypass us.
    "cache-control": "private, no-store",
    "content-length": 0,
    "x-request-id": call.requestId,
  };
  if (request.headers.origin !== undefined) Object.assign(headers, crossOriginHeaders(request.headers));
  if (call.responseHeaders !== undefined) Object.assign(headers, call.responseHeaders);
  response.writeHead(status, headers);
  response.end();
  return status;
}
