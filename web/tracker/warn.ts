/** Tells the page's developer why nothing is counted. */
export const warn = (why: string): undefined => console.warn(`Lookout: ${why}`) as undefined;
