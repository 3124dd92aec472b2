/** Fields of visits that funnels are broken down by. */
export const splitFields = [
  "referrer_group",
  "referrer",
  "utm_campaign",
  "country",
  "device_type",
  "entry_page",
] as const;
