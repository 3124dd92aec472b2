/**
 * The results of `work` on each item, in the order of the items. Runs ahead of the consumer: at most `atOnce` pieces of
 * work at a time, and at most `ahead` results that are started but not consumed. Throws the first failure in that
 * order.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  { atOnce, ahead }: { readonly atOnce: number; readonly ahead: number },
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  const queue = items.values();
  let running = 0;
  let stopped = false;
  const begin = (): void => {
    while (!stopped && running < atOnce && begun.length < ahead) {
      const item = queue.next();
      if (item.done) return;
      running += 1;
      const result = work(item.value);
      const end = (): void => {
        running -= 1;
        begin();
      };
      // A failure is thrown when its item is consumed.
      result.then(end, end);
      begun.push(result);
    }
  };
  try {
    begin();
    for (let first = begun[0]; first !== undefined; first = begun[0]) {
      const result = await first;
      void begun.shift();
      begin();
      yield result;
    }
  } finally {
    stopped = true;
  }
}
