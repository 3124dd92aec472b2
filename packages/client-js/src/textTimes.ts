/** A time of a request: a Date, or its text (ISO 8601, or a day as YYYY-MM-DD where the API takes days). */
export type TextTime = string | Date;
