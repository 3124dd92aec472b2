/** What marks the website with demo data. The web app knows it by its domain, which cannot be registered (RFC 2606). */
export const demoDomain = "demo-shop.invalid";

export const demoName = "Demo shop";

/** Its name until all of its data is there: what a start that was cut short has left is made anew by the next one. */
export const unfinishedName = `${demoName} (being filled)`;

/** Days of history, today included. */
export const demoDays = 90;
