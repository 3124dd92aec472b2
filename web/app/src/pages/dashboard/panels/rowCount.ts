/** Rows that a panel shows at first. */
export const fewRows = 8;
