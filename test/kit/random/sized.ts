/** Whether the long tests are to be as large as they get, instead of ending within a quarter of an hour. */
const isFull = process.env["FULL_SIZE"] === "1";

/** A number of random questions, bodies or rounds: the usual one, or with FULL_SIZE=1 the full one. */
export function sized(usual: number, full: number): number {
  return isFull ? full : usual;
}
