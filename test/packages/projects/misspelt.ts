// Does not compile: the test expects an error in each of the lines below.
import { createLookout } from "@lookout/client";

const lookout = createLookout({ baseUrl: "" });
const [pages] = (await lookout.query({ preset: "today", parameters: ["top_pages"] })).data;
if (pages.success) console.log(pages.data[0]?.veiws); // error
await lookout.query({ preset: "today", parameters: ["top_pagse"] }); // error
await lookout.links.createLink({ targetURL: "" }); // error
await lookout.uptime.createMonitor({ interval: "7 parsecs" }); // error
await lookout.links.queryLinkAnalytics({ metric: "clix" }); // error
await lookout.funnels.analyzeFunnel({ funnel: { steps: [], preset: "lst_7d" } }); // error
