/** The texts of privacy reports in English. Numbers come as texts of the language, days as dates. */
export const en = {
  language: "en",
  page: {
    title: (website: string) => `Privacy report of ${website}`,
    made: (at: string) => `Made on ${at} (UTC) from the settings in force and the rows that are stored.`,
    sums: (fulfilled: string, broken: string, unknown: string) =>
      `${fulfilled} points are fulfilled, ${broken} are broken, ${unknown} are unknown.`,
    states: { fulfilled: "fulfilled", broken: "broken", unknown: "unknown" },
    askedBy: "Asked for by",
    brokenBy: "Broken by",
    noSetting: "no setting of this version changes it",
    settings: "In force",
    counts: "Counted",
    oldest: (at: string) => `the oldest of ${at}`,
    notKnown: "unknown",
    policy: "A paragraph for your privacy policy",
  },
  authorities: {
    cnil: "CNIL (France), self-assessment for audience measurement",
    ico: "ICO (United Kingdom), statistical purposes",
    dsk: "DSK (Germany), providers of digital services",
  },
  disclaimer:
    "This report is no legal advice, and no authority has confirmed it. It compares settings and counts with points of published guidance, of which secondary reports were read. What the rows cannot show, such as what you use the figures for, stays unknown.",
  rounded: (step: string) => `Counts of rows and ids are rounded up to multiples of ${step}, and times to days.`,
  points: {
    purpose: {
      title: "Audience measurement is the only purpose",
      requirement: "Figures serve to measure and improve the website and nothing else.",
    },
    publisher_alone: {
      title: "For the publisher alone",
      requirement: "Only the publisher of the website, and who works for the publisher, gets the figures.",
    },
    statistics_only: {
      title: "Anonymous statistics as the result",
      requirement: "What comes out are statistics, not lists of single visits or visitors.",
    },
    small_groups: {
      title: "No small groups",
      requirement: "A figure stands for so many visitors that none of them is recognised: at least 10 here.",
    },
    device_storage: {
      title: "Nothing is stored on the device",
      requirement:
        "Measuring stores nothing on the visitor's device and reads nothing there; otherwise it may need consent.",
    },
    tracker_life: {
      title: "Ids live 13 months at most",
      requirement: "An id of a visitor ends 13 months after it was made, and a visit does not renew it.",
    },
    one_website: {
      title: "An id belongs to one website",
      requirement: "Visitors are not followed over several websites.",
    },
    no_crossing: {
      title: "Not joined with other data",
      requirement: "Visits are not joined with what other processing knows, such as clicks on short links elsewhere.",
    },
    data_age: {
      title: "Data is kept for 25 months at most",
      requirement: "What was collected is erased within 25 months.",
    },
    retention: {
      title: "Retention periods are kept",
      requirement: "No row is older than the period that is promised for it.",
    },
    addresses: {
      title: "No addresses are stored",
      requirement: "The visitor's IP address serves to find a place and is not kept.",
    },
    daily_salt: {
      title: "Ids cannot be made again",
      requirement: "What ids are made of is destroyed, so that nobody finds out whose they were.",
    },
    location: {
      title: "No place finer than a city",
      requirement: "Of the visitor's place nothing finer than the city is kept.",
    },
    direct_identifiers: {
      title: "No names and addresses in the data",
      requirement: "Paths, titles, ids and properties hold nothing that names a person.",
    },
    objection_signals: {
      title: "Signals of the browser are honoured",
      requirement: "Who sends Do Not Track or Global Privacy Control is not counted.",
    },
    objection: {
      title: "Visitors can object",
      requirement: "There is a simple and free way to object, and it lasts.",
    },
    information: {
      title: "Visitors are informed",
      requirement: "The website says clearly what is measured, for what, and how to object.",
    },
    recipients: {
      title: "Nobody else gets the data",
      requirement: "Data goes to nobody who uses it for own purposes; who processes it does so under contract.",
    },
  },
  findings: {
    notCounted: "It could not be counted now.",
    noRows: "There are no rows that would show it.",
    purposeUnknown:
      "What the figures are used for cannot be seen in rows. Lists of visits and funnels go further than counting an audience: decide what you need.",
    private: "Only members of your organization and holders of its keys see the figures.",
    public: "Anyone may see the figures of this website.",
    noVisits: "No row belongs to a visitor, so there are no lists of visits.",
    audienceOnly:
      "Queries answer with figures of an audience alone, and no export holds rows of visitors. Visits that are stored serve to count.",
    visitsListed: (sessions: string, ids: string) =>
      `Queries list single visits (${sessions} are stored), and exports hold ids of visitors (${ids}).`,
    groupsLarge: (visitors: string, days: string) =>
      `The smallest group of the last ${days} days has ${visitors} visitors.`,
    groupsAllowed: (visitors: string) => `Groups of ${visitors} visitors may be shown.`,
    groupsSmall: (field: string, visitors: string, days: string) =>
      `A value of ${field} stands for ${visitors} of the visitors of the last ${days} days, and is shown.`,
    idsMade: (ids: string) =>
      ids === "1"
        ? "The service made the only id by itself; pages sent none and store none."
        : `The service made all ${ids} ids by itself; pages sent none and store none.`,
    idsSent: (sent: string, ids: string) =>
      `Pages or programs sent ${sent} of ${ids} ids. With data-visitor daily or persistent, and with most SDKs, such an id is stored on the device.`,
    lifeKept: (days: string) => `The id that was seen for the longest time was seen for ${days}.`,
    lifeLong: (days: string) => `An id was seen for ${days}.`,
    lifeUnseen: (days: string, kept: string) =>
      `An id was seen for ${days}, and rows are kept for ${kept}: whether it lives longer cannot be seen.`,
    lifeElsewhere:
      "Ids that were sent are stored in a form that changes each day. How long they live where they are made cannot be seen.",
    oneWebsite: "No id of this website occurs on another website of the organization.",
    manyWebsites: (shared: string, websites: string) =>
      `${shared} ids occur on other websites of the organization too, one on ${websites} websites.`,
    spreadUnseen: "Your credentials do not reach all websites of the organization; on those they reach no id occurs.",
    notJoined: "No page view can be joined with a click.",
    notJoinedAnyMore: (views: string) =>
      views === "0"
        ? "No answer joins visits with clicks, and page views are stored without what they could be joined by."
        : `No answer joins visits with clicks. ${views} page views from before still hold what clicks were joined by, until their retention.`,
    joinable: (links: string) =>
      `${links} short links lead here: page views that follow a click will be joined with it. None has been so far.`,
    joined: (views: string, links: string) =>
      `${views} page views can be joined with clicks of the half hour before; ${links} short links lead here.`,
    ageKept: (days: string) => `The longest period is ${days}.`,
    ageLong: (days: string, allowed: string) => `A period is ${days}, which is more than ${allowed}.`,
    ageRows: (kind: string, day: string) => `There are rows of ${kind} from ${day}.`,
    retentionKept: "The oldest row of each kind is within its period.",
    retentionLate: (kind: string, day: string) => `There are rows of ${kind} from ${day}, which is past their period.`,
    noAddresses: "No table has a column for it, and no proxy stands before the service.",
    proxies: "No table has a column for it. What the proxies before the service log cannot be seen from here.",
    saltsGone: "The salts of all earlier days are destroyed.",
    saltsLeft: (salts: string) => `${salts} salts of earlier days still exist.`,
    cities: (rows: string) => `${rows} events have a city, which is the finest place that is kept.`,
    noNames: "Nothing in the rows looks like an e-mail address, and no query parameter is kept.",
    names: (rows: string, columns: string) => `${rows} values look like e-mail addresses, in ${columns}.`,
    parameters: (names: string) =>
      `The values of the query parameters ${names} are kept; whether they name a person is not known.`,
    signalsHonoured: (events: string) => `${events} events were left out because of it.`,
    signalsIgnored: "The service counts these visitors.",
    objectionUnknown:
      "The tracker offers lookout.optOut(), which lasts. Whether your pages have the button cannot be seen from here.",
    informationUnknown:
      "What your pages say cannot be seen from here. The paragraph below is filled from the real settings.",
    noRecipients: "Exports and backups stay on this installation, and no channel gets messages.",
    recipients: (hosts: string) =>
      `Messages, exports or backups go to ${hosts}. Whether you have a contract with them cannot be seen from here.`,
  },
  policy: {
    intro: (host: string) =>
      `We count visits to ${host} with the software Lookout, to see which pages are read and to improve them.`,
    visitor: {
      none: "No visitor is recognised.",
      made: "No cookie is set and nothing is stored on your device. Visits of one day are recognised by an id that is computed from your IP address, your browser and a random value; this value is destroyed every night, so that the id cannot be traced back to you. The IP address itself is not stored.",
      sent: (days: string) =>
        `To recognise visits, a random id may be stored on your device; an id was in use for at most ${days} so far. Your IP address is not stored.`,
      sentForDay:
        "To recognise visits, a random id may be stored on your device; we store it in a form that changes every day and cannot be traced back to it. Your IP address is not stored.",
      unknown: "Your IP address is not stored.",
    },
    stored: (parts: string) =>
      `Stored are the address of the page, the time, the page you came from, browser, system, kind of device and language, and your place (${parts}), which is estimated from the IP address.`,
    places: { country: "country", region: "region", city: "city" },
    kept: (raw: string, aggregated: string) =>
      `Single visits are erased after ${raw} days, daily totals after ${aggregated} days.`,
    proxies: "Requests pass through a proxy server, which handles your IP address for their delivery.",
    recipients: (hosts: string) => `Stored data is also kept at ${hosts}.`,
    signals: "Who sends Do Not Track or Global Privacy Control with the browser is not counted.",
    objection: 'You can object at any time: use the button "Do not count my visits" on this page.',
  },
};

/** The texts of privacy reports in one language. */
export type PrivacyTexts = typeof en;
