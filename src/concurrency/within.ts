/** There was no answer in time; what was asked may still come. */
export class NotAnsweredError extends Error {
  override name = "NotAnsweredError";

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
  }
}

/** The result of `work`. Rejects with NotAnsweredError after `timeoutMs`; the work goes on all the same. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NotAnsweredError(timeoutMs)), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
