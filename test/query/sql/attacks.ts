/** Part of every attack string, to detect whether any of it came through. */
export const attackMark = "zq7x";

/** Texts that have ended statements, changed their meaning or broken parsers elsewhere. */
export const attacks: readonly string[] = [
  `${attackMark}' OR '1'='1`,
  `${attackMark}'; DROP TABLE events; --`,
  `${attackMark}') UNION ALL SELECT website_id FROM events --`,
  `${attackMark}\\'; SELECT 1 --`,
  `${attackMark}" OR ""="`,
  `${attackMark}/**/OR/**/1=1`,
  `${attackMark}$1 $2 $99`,
  `$1${attackMark}`,
  `${attackMark}%_\\%`,
  `${attackMark}::long) OR (1=1`,
  `${attackMark}\n;\rSHUTDOWN`,
  `${attackMark}]}.a[0]['b']`,
  `${attackMark}\u0000' OR 1=1`,
  `${attackMark}\ud800\u202e`,
  `__proto__.${attackMark}`,
  `{"$gt":"${attackMark}"}`,
  `${attackMark}${"'(".repeat(2_000)}`,
];
