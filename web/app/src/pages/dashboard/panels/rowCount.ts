/** Rows that a panel shows; a sheet has the others. */
export const fewRows = 7;

/**
 * Rows that a panel asks for. The service sorts by views, events or sessions, of which no row has fewer than visitors, so the rows with the most
 * visitors are among the first ones.
 */
export const askedRows = 50;

/** Rows that it asks for where those were too few to be sure. */
export const manyRows = 1_000;
