import { once } from "node:events";
import type { GatewayApp } from "../gatewayApp.ts";
import { crossOriginHeaders } from "../http/crossOrigin.ts";
import type { HttpCall } from "../http/httpCall.ts";

/** A part of a file (gateway.v1.method.file); the first has type and name. */
type FilePart = { contentType?: string; fileName?: string; data?: Uint8Array };

/**
 * Sends a stream of parts as one file, at the client's pace. With a Content-Range it is a part of the file (RFC 9110,
 * section 15.3.7).
 */
export async function sendFile(parts: AsyncIterable<FilePart>, call: HttpCall<GatewayApp>): Promise<void> {
  const { request, response, signal, isHead } = call;
  for await (const part of parts) {
    if (!response.headersSent)
      response.writeHead(call.responseHeaders?.["content-range"] === undefined ? 200 : 206, {
        "content-type": part.contentType || "application/octet-stream",
        "content-disposition": `attachment; filename="${(part.fileName ?? "").replace(/[^\w.-]/g, "_") || "download"}"`,
        "x-content-type-options": "nosniff",
        "x-request-id": call.requestId,
        ...crossOriginHeaders(request.headers),
        ...call.responseHeaders,
      });
    if (isHead || signal.aborted) break;
    if (part.data !== undefined && part.data.length > 0 && !response.write(part.data))
      await once(response, "drain", { signal });
  }
  response.end();
}
