import type { Config } from "../../config.ts";
import { ApiError } from "../../errors/errors.ts";
import { drainBytes } from "../http/closeInStages.ts";
import type { HttpRequest } from "../http/httpCall.ts";

/**
 * The whole body, or undefined without one. Rejects with 413 beyond the limit, 408 when it takes too long, 415 for an
 * encoded body.
 */
export function readBody(
  request: HttpRequest,
  { maxBodyBytes: maxBytes, requestTimeoutMs: timeoutMs }: Pick<Config["server"], "maxBodyBytes" | "requestTimeoutMs">,
): Promise<Buffer | undefined> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    return Promise.reject(new ApiError("VALIDATION_ERROR", "Send the body without Content-Encoding", { status: 415 }));
  // A request without a body emits no end event (optimizeEmptyRequests).
  if (request.readableEnded) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let all: Buffer[] | undefined;
    let bytes = 0;
    // HTTP/1 connections have the server's own requestTimeout; HTTP/2 streams have none.
    const timer =
      request.httpVersionMajor === 2
        ? setTimeout(
            () => reject(new ApiError("VALIDATION_ERROR", "The body took too long to arrive", { status: 408 })),
            timeoutMs,
          )
        : undefined;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        first = all = undefined;
        reject(tooLarge(maxBytes));
        if (bytes > maxBytes + drainBytes) request.destroy();
      } else if (first === undefined) first = chunk;
      else if (all === undefined) all = [first, chunk];
      else all.push(chunk);
    });
    request.on("end", () => {
      clearTimeout(timer);
      resolve(all === undefined ? first : Buffer.concat(all));
    });
    // Whatever broke the connection is the client's fault, and no store's.
    request.on("error", () => reject(endedEarly()));
    request.on("close", () => {
      clearTimeout(timer);
      // Creating an error costs a stack trace, so only if the body was not complete.
      if (!request.readableEnded) reject(endedEarly());
    });
  });
}

function endedEarly(): ApiError {
  return new ApiError("VALIDATION_ERROR", "The body ended early");
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError("VALIDATION_ERROR", `The body is larger than ${maxBytes} bytes`, {
    status: 413,
    details: [{ field: "", message: `must be at most ${maxBytes} bytes` }],
    headers: { connection: "close" },
  });
}
