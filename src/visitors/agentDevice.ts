/**
 * Televisions and systems that Bowser does not know. The words are those that makers put into their user agents; boxes with Android that
 * say nothing of a television cannot be told from tablets.
 */

/** Words of the standards and browsers of televisions, and of their makers' systems. */
const televisions = new RegExp(
  [
    // Standards of broadcasters: HbbTV (ETSI TS 102 796), CE-HTML (CEA-2014), Freeview.
    String.raw`\bHbbTV\/|\bCE-?HTML\b|\bFVC\/\d|\bSRAF\b|\bHybridcast\/|\bSTB\b`,
    // What an agent calls itself.
    String.raw`smart-?_?tv|\b(?:google|g00gle|apple|android|opera|whale|xiaomi|fire|internet|inet) ?tv|\(DTV[;)]|\btvOS\b|\bTV(?: Safari|Store)|\b(?:wired|wireless)\)|\(Linux (?:mips|sh4)\b|TV Build\/|; ?DTV;`,
    // Systems and browsers.
    String.raw`\bWeb0S\b|\bwebOS[._]?TV|\bNetCast\b|\bVIDAA\b|\bViziOS\b|\bSmartCast\b|\bRoku|\bNETTV\b|\bNETRANGE|\bOMI\/\d|\bCrKey\b|\bMaple[_ ]?(?:\d{4}|\d\.)|\bEspial|\bOpentv|\bOTVWebKit\b|\bEkioh\/|\b(?:PBRM|OHTV)\/|\bSonyCEBrowser\/|\bmbxtWebKit\/`,
    // Lines of devices.
    String.raw`\bBRAVIA|\bVIERA|\bAQUOS ?(?:TV|4K)|\bAFT[A-Z][A-Z0-9]*\b|\bMi ?(?:TV|BOX)|\bATV ?\d?\b|\bDuneHD\b|\bSky_OTT|\bBeyondTV|\bGFHD\d|\bChromecast\b|\bSonyBDP\b|\bBDPlayer\b|\bDiga\b|\bGTV\d{3}\b`,
  ].join("|"),
  "i",
);

/** Whether the user agent is that of a television, or of a box or stick for one. */
export function isTelevision(userAgent: string): boolean {
  return televisions.test(userAgent);
}

const desktopSystems = ["FreeBSD", "OpenBSD", "NetBSD"];

/** Systems with their names as stored. */
export const ownSystems: readonly string[] = ["KaiOS", ...desktopSystems];

const systems = ownSystems.map((name) => ({
  name,
  pattern: new RegExp(String.raw`\b${name}(?:[/ ](\d+\.\d+))?`, "i"),
}));

/** A system that Bowser does not know, with its version (its first two numbers) where it is stated. */
export function ownSystem(
  userAgent: string,
): { readonly name: string; readonly version: string | undefined } | undefined {
  for (const { name, pattern } of systems) {
    const found = pattern.exec(userAgent);
    if (found !== null) return { name, version: found[1] };
  }
  return undefined;
}

/** The device of an agent whose kind Bowser does not know, by its system; undefined if that does not tell either. */
export function deviceOfSystem(userAgent: string): "desktop" | "mobile" | undefined {
  if (/\bKAIOS\/|\bMIDP\b/i.test(userAgent)) return "mobile";
  return desktops.test(userAgent) ? "desktop" : undefined;
}

const desktops = new RegExp(
  String.raw`\b(?:${["X11", "CrOS", "Windows", "OS/2", "Haiku", "BeOS", "AmigaOS", ...desktopSystems].join("|")})\b`,
);
