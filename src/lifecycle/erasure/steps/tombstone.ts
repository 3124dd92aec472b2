/** What stands for the website in rows that were erased. No website has this id, so no query reaches them. */
export const tombstoneWebsiteId = "erased";

/** A column that is added and dropped at once, see releaseBytes.ts. */
export const rollColumn = "erasure_roll";
