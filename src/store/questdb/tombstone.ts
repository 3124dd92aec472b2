/** The website id of erased rows. No website has this id, so no query reads them. */
export const tombstoneWebsiteId = "erased";

/** A column that is added and dropped at once, see releaseBytes.ts. */
export const rollColumn = "erasure_roll";
