// Does not compile: the test expects an error in each of the lines below.
import { createLookout } from "@lookout/client";

const lookout = createLookout({ baseUrl: "" });
const [pages] = (await lookout.query({ preset: "today", parameters: ["top_pages"] })).data;
if (pages.success) console.log(pages.data[0]?.veiws); // error
await lookout.query({ preset: "today", parameters: ["top_pagse"] }); // error
await lookout.links.createLink({ targetURL: "" }); // error
