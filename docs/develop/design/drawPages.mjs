// Draws links, settings, sign-in and first run as HTML beside design.css: node docs/develop/design/drawPages.mjs. Figures are made up.
import { writeFileSync } from "node:fs";

const h = String.raw;
const chevron =
  '<svg width="10" height="10" viewBox="0 0 10 10"><path d="M2 3.5 5 6.5 8 3.5" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>';
const logo =
  '<span class="logo"><svg width="16" height="16" viewBox="0 0 16 16"><path d="M2 11 6 7l3 3 5-6" fill="none" stroke="currentColor" stroke-width="1.8"/></svg></span>';
const letter = (text, colour) =>
  h`<svg class="ico" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="${colour}"/><text x="8" y="11.6" font-size="10" font-weight="700" text-anchor="middle" fill="#fff">${text}</text></svg>`;
const pagesOfWebsite = ["Overview", "Realtime", "Uptime", "Links", "Status pages", "Settings"];

function top(current) {
  const entries = pagesOfWebsite.map((name) => h`<a${name === current ? ' aria-current="page"' : ""}>${name}</a>`);
  return h`<header class="top">${logo}<a class="site">${letter("D", "#c75000")} Demo shop ${chevron}</a><nav class="nav">${entries.join("")}</nav><span class="right"><span class="search">Search <kbd>⌘ K</kbd></span><span class="avatar">O</span></span></header>`;
}

function page(title, body) {
  return h`<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><link rel="stylesheet" href="design.css"><body>${body}</body></html>`;
}

function spark(values) {
  const most = Math.max(...values);
  const points = values.map(
    (value, index) => `${((index * 120) / (values.length - 1)).toFixed(1)},${(22 - (value / most) * 20).toFixed(1)}`,
  );
  return h`<svg class="spark" viewBox="0 0 120 24" preserveAspectRatio="none"><polyline points="${points.join(" ")}" fill="none" stroke="var(--series-1)" stroke-width="1.5"/></svg>`;
}

const link = (slug, target, values, clicks, change, rate) =>
  h`<li class="lnk"><span class="nm"><b>${slug}</b><span class="faint">${target}</span></span>${spark(values)}<b class="num">${clicks}</b><span class="change num ${change.startsWith("↓") ? "down" : "up"}">${change}</span><span class="num soft">${rate}</span><span class="faint">•••</span></li>`;

const links = page(
  "Links",
  h`${top("Links")}<main><div class="homebar"><h1>Links</h1><span class="faint">3 · 1,301 clicks in 28 days ↑ 12% · 4.9% signed up</span><span class="right"><span class="search">Search links <kbd>/</kbd></span><span class="pill">By clicks ${chevron}</span><span class="button">New link</span></span></div>
<section class="card"><div class="lnk cols2"><span>Link</span><span>Last 28 days</span><span class="num">Clicks</span><span class="num">Change</span><span class="num">Sign-up</span><span></span></div><ul>
${link("/l/autumn", "shop.example.com/sale?utm_campaign=autumn", [20, 28, 24, 40, 38, 52, 60, 58], "742", "↑ 31%", "6.1%")}
${link("/l/desk-lamp", "shop.example.com/products/desk-lamp", [30, 26, 31, 22, 28, 20, 18, 19], "431", "↓ 8%", "3.9%")}
${link("/l/docs", "shop.example.com/docs · ends Dec 1", [4, 5, 4, 6, 5, 4, 5, 6], "128", "↑ 2%", "1.6%")}</ul></section></main>`,
);

const side = ["General", "Tracking code", "Goals and funnels", "Retention", "Exports and erasure"]
  .map((name, index) => h`<a${index === 0 ? ' aria-current="page"' : ""}>${name}</a>`)
  .join("");
const settings = page(
  "Settings",
  h`${top("Settings")}<main><div class="homebar"><h1>Settings</h1></div><div class="set"><nav class="side">${side}</nav><div style="display:grid;gap:.875rem">
<section class="card"><div class="form"><h2>General</h2><label>Name<span class="input">Demo shop</span></label><label>Domain<span class="input">shop.example.com</span></label><label>Time zone<span class="input">Europe/Berlin</span></label><label>Tags<span class="input">shop, germany</span></label></div><div class="foot"><span class="button">Save</span><span class="faint">Days of figures follow the time zone.</span></div></section>
<section class="card"><div class="form"><h2>Public dashboard</h2><span class="soft">Off. Nobody but members sees figures.</span></div><div class="foot"><span class="button second">Turn on</span></div></section>
<section class="card danger"><div class="form"><h2>Delete this website</h2><span class="soft">It can be restored for 90 days. Afterwards nothing of it is left, and a receipt says so.</span></div><div class="foot"><span class="button bad">Delete</span></div></section></div></div></main>`,
);

const signIn = page(
  "Sign in",
  h`<header class="top">${logo}<b>Lookout</b></header><div class="alone"><section class="card"><div class="form"><h2>Sign in</h2><label>E-mail address<span class="input">owner@localhost</span></label><label>Password<span class="input">••••••••</span></label><span class="button">Sign in</span><span class="faint">Forgotten password?</span></div></section><span class="faint" style="display:flex;align-items:center;gap:.25rem">English ${chevron}</span></div>`,
);

const kinds = ["HTML", "WordPress", "Shopify", "Next", "Vue", "React", "Tag Manager"]
  .map((name, index) => h`<span class="pill" aria-selected="${index === 0}">${name}</span>`)
  .join("");
const firstRun = page(
  "Tracking code",
  h`${top("Settings")}<main><div class="homebar"><h1>Count the first visit</h1></div><section class="card"><ol class="steps">
<li><div style="display:grid;gap:.5rem"><b>How is the website made?</b><span class="kinds">${kinds}</span></div></li>
<li><div style="display:grid;gap:.5rem"><b>Put this line into the head of each page</b><span class="code">&lt;script defer src="https://stats.example.com/tracker.js" data-website-id="4f7c…"&gt;&lt;/script&gt;</span><span class="opts"><span>☑ Outgoing links</span><span>☐ Web vitals</span><span>☐ Script errors</span></span></div></li>
<li><div style="display:grid;gap:.375rem"><b>Open the website</b><span class="soft">The first visit shows here within three seconds.</span></div></li></ol>
<div class="wait"><span class="dot none"></span><span><b>No visit yet.</b> <span class="soft">shop.example.com answers, but the tracking code is not in its page.</span></span><span class="right"><span class="button second">Check again</span></span></div></section></main>`,
);

for (const [name, html] of Object.entries({ links, settings, "sign-in": signIn, "first-run": firstRun }))
  writeFileSync(new URL(`${name}.html`, import.meta.url), html);
