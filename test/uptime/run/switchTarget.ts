import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that is up or down as the test says. `requestTimes` are the times of its requests, Unix ms. */
export type SwitchTarget = {
  readonly url: string;
  readonly requestTimes: number[];
  /** `hold` keeps requests waiting until the next change. */
  turn(to: "up" | "down" | "hold"): void;
  close(): Promise<void>;
};

export async function startSwitchTarget(): Promise<SwitchTarget> {
  let mode: "up" | "down" | "hold" = "up";
  const requestTimes: number[] = [];
  const held = new Set<ServerResponse>();
  const answer = (response: ServerResponse) => {
    response.statusCode = mode === "up" ? 200 : 503;
    response.end("ok");
  };
  const server = createServer((_, response) => {
    requestTimes.push(Date.now());
    if (mode === "hold") held.add(response);
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has this kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    requestTimes,
    turn(to) {
      mode = to;
      if (to === "hold") return;
      for (const response of held) answer(response);
      held.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
