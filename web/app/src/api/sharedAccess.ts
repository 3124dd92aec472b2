/** The access of the shared dashboard on screen; undefined on other pages. Kept in memory alone, so that a frame needs no cookie. */
let access: string | undefined;

/** Sends this access with the queries that follow. */
export function setAccess(given: string | undefined): void {
  access = given;
}

/** The header of queries, and its value. */
export function accessHeader(): readonly [name: string, value: string] | undefined {
  return access === undefined ? undefined : ["x-shared-dashboard", access];
}
