// Does not compile: the test expects an error in each of the lines below.
import { createLookout } from "@lookout/client";

const lookout = createLookout({ baseUrl: "" });
const [pages] = (await lookout.query({ preset: "today", parameters: ["top_pages"] })).data;
if (pages.success) console.log(pages.data[0]?.veiws); // error
await lookout.query({ preset: "today", parameters: ["top_pagse"] }); // error
await lookout.links.createLink({ targetUrl: "", nmae: "" }); // error
await lookout.links.createLink({ websiteId: "" }); // error
await lookout.uptime.listMonitors({}); // error
await lookout.uptime.createMonitor({ websiteId: "", url: "", interval: "7 parsecs" }); // error
await lookout.links.queryLinkAnalytics({ id: "", metric: "clix" }); // error
await lookout.funnels.analyzeFunnel({ websiteId: "", funnel: { steps: [], preset: "lst_7d" } }); // error
const filters = [{ field: "contry", op: "eq", value: "AT" } as const];
await lookout.query({ preset: "today", parameters: ["top_pages"], filters }); // error
await lookout.query({ preset: "today", parameters: [{ name: "goal_conversions", splitBy: "utm_campain" }] }); // error
lookout.events.track({ name: "order", properties: { total: () => 1 } }); // error
lookout.events.track({ name: "order", properties: new Map([["total", 1]]) }); // error
