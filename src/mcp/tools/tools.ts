import { allWebsites } from "./allWebsites.ts";
import { funnel, goals } from "./followTools.ts";
import { createLink, linkClicks, listLinks } from "./linkTools.ts";
import { describeQueryTypes, query } from "./queryTools.ts";
import type { Tool } from "./tool.ts";
import { incidents, pauseMonitor, uptimeStatus } from "./uptimeTools.ts";
import { listWebsites } from "./websiteTools.ts";

/** Every tool: the few that an assistant needs, not one for each RPC, since each takes of its attention. */
export const tools: readonly Tool[] = [
  listWebsites,
  allWebsites,
  describeQueryTypes,
  query,
  funnel,
  goals,
  uptimeStatus,
  incidents,
  listLinks,
  linkClicks,
  createLink,
  pauseMonitor,
];
