import { S3Client } from "@aws-sdk/client-s3";
import type { S3Access } from "../config.ts";

/** A client for an S3-compatible store. Its library takes some 40 MB, so load this file only when there is a bucket. */
export function newS3Client({ endpoint, region, keys }: S3Access): S3Client {
  return new S3Client({
    region,
    // Many stores do not support optional checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Stores other than AWS seldom have a host name per bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(keys === undefined ? {} : { credentials: keys }),
  });
}

/** S3's answers to wrong keys or a wrong bucket; retrying is useless. */
export const s3Refusals: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** Whether a request could not be signed: no key is set, and this machine has none. */
export function hasNoKey(error: unknown): boolean {
  return error instanceof Error && error.name === "CredentialsProviderError";
}
