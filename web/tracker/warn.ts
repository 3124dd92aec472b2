/** Tells the page's developer why nothing is counted. */
export const warn = (): undefined => console.warn("Lookout: unknown website id") as undefined;
