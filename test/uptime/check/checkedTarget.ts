import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll } from "vitest";
import { startTarget, type TargetServer, testAuthority } from "./targetServer.ts";

/** A target over HTTP for the tests of a file, whose certificates are trusted. `closeLater` closes other servers with it. */
export function checkedTarget() {
  let plain: TargetServer | undefined;
  const closing: (() => Promise<void>)[] = [];
  const started = (): TargetServer => {
    if (plain === undefined) throw new Error("the target starts before the first test");
    return plain;
  };
  beforeAll(async () => {
    setDefaultCACertificates([...getCACertificates(), testAuthority()]);
    plain = await startTarget();
    closing.push(plain.close);
  });
  afterAll(async () => {
    await Promise.all(closing.map((close) => close()));
  });
  return {
    /** The address of a path of the target. */
    at: (path: string) => `http://127.0.0.1:${started().port}/${path}`,
    /** The requests to it, in their order. */
    requests: () => started().requests,
    port: () => started().port,
    closeLater: (close: () => Promise<void>) => void closing.push(close),
  };
}
