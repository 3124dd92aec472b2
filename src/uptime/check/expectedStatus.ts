/** Whether a status matches one of the patterns, such as 200, 200-299 or 2xx. */
export function isExpectedStatus(status: number, expected: readonly string[]): boolean {
  return expected.some((entry) => {
    if (entry.endsWith("xx")) return Math.floor(status / 100) === Number(entry[0]);
    const [first = "", last = first] = entry.split("-");
    return status >= Number(first) && status <= Number(last);
  });
}
