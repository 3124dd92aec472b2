/**
 * Whether a host, or a parent domain, is known for sending fake visits to advertise itself. The host is in lower case,
 * without `www.`
 */
export function isReferrerSpam(host: string): boolean {
  for (let name = host; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    if (spammers.has(name)) return true;
  }
  return false;
}

/** The well-known ones of the waves since 2014, collected by hand, not copied from a list. */
const spammers: ReadonlySet<string> = new Set(
  (
    "semalt.com semaltmedia.com buttons-for-website.com buttons-for-your-website.com darodar.com ilovevitaly.com " +
    "ilovevitaly.ru ilovevitaly.co ilovevitaly.org priceg.com econom.co blackhatworth.com hulfingtonpost.com cenoval.ru " +
    "bestwebsitesawards.com o-o-6-o-o.com humanorightswatch.org best-seo-offer.com best-seo-solution.com " +
    "buy-cheap-online.info 4webmasters.org simple-share-buttons.com social-buttons.com free-share-buttons.com " +
    "free-social-buttons.com free-floating-buttons.com 1-free-share-buttons.com sharebutton.net get-free-traffic-now.com " +
    "get-free-social-traffic.com event-tracking.com trafficmonetize.org trafficmonetizer.org traffic2money.com " +
    "webmonetizer.net success-seo.com videos-for-your-business.com rank-checker.online ranksonic.info ranksonic.org " +
    "ranking2017.ga 7makemoneyonline.com guardlink.org kambasoft.com savetubevideo.com srecorder.com iskalko.ru " +
    "superiends.org vodkoved.ru 100dollars-seo.com 1-99seo.com sitevaluation.org theguardlan.com site-auditor.online " +
    "seo-platform.com xn--lifehacer-1rb.com xn--oogle-wmc.com"
  ).split(" "),
);
