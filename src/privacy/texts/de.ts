import type { PrivacyTexts } from "./en.ts";

/** The texts of privacy reports in German. */
export const de: PrivacyTexts = {
  language: "de",
  page: {
    title: (website) => `Datenschutzbericht für ${website}`,
    made: (at) => `Erstellt am ${at} (UTC) aus den geltenden Einstellungen und den gespeicherten Zeilen.`,
    sums: (fulfilled, broken, unknown) => `${fulfilled} Punkte sind erfüllt, ${broken} verletzt, ${unknown} unbekannt.`,
    states: { fulfilled: "erfüllt", broken: "verletzt", unknown: "unbekannt" },
    askedBy: "Verlangt von",
    brokenBy: "Verletzt durch",
    noSetting: "keine Einstellung dieser Version ändert es",
    settings: "Es gilt",
    counts: "Gezählt",
    oldest: (at) => `die älteste vom ${at}`,
    notKnown: "unbekannt",
    policy: "Ein Absatz für Ihre Datenschutzerklärung",
  },
  authorities: {
    cnil: "CNIL (Frankreich), Selbstbewertung zur Reichweitenmessung",
    ico: "ICO (Vereinigtes Königreich), statistische Zwecke",
    dsk: "DSK (Deutschland), Anbieter digitaler Dienste",
  },
  disclaimer:
    "Dieser Bericht ist keine Rechtsberatung, und keine Behörde hat ihn bestätigt. Er vergleicht Einstellungen und Zählungen mit Punkten veröffentlichter Leitlinien, zu denen Berichte Dritter gelesen wurden. Was die Zeilen nicht zeigen, etwa wofür Sie die Zahlen nutzen, bleibt unbekannt.",
  rounded: (step) =>
    `Anzahlen von Zeilen und Kennungen sind auf Vielfache von ${step} aufgerundet, Zeiten auf Tage gerundet.`,
  points: {
    purpose: {
      title: "Reichweitenmessung ist der einzige Zweck",
      requirement: "Die Zahlen dienen dazu, die Website zu messen und zu verbessern, und zu nichts sonst.",
    },
    publisher_alone: {
      title: "Nur für den Betreiber",
      requirement: "Nur der Betreiber der Website, und wer für ihn arbeitet, erhält die Zahlen.",
    },
    statistics_only: {
      title: "Anonyme Statistik als Ergebnis",
      requirement: "Heraus kommen Statistiken, keine Listen einzelner Besuche oder Besucher.",
    },
    small_groups: {
      title: "Keine kleinen Gruppen",
      requirement: "Eine Zahl steht für so viele Besucher, dass niemand erkannt wird: hier für mindestens 10.",
    },
    device_storage: {
      title: "Auf dem Gerät wird nichts gespeichert",
      requirement:
        "Die Messung speichert nichts auf dem Gerät des Besuchers und liest dort nichts; sonst kann eine Einwilligung nötig sein.",
    },
    tracker_life: {
      title: "Kennungen leben höchstens 13 Monate",
      requirement:
        "Die Kennung eines Besuchers endet 13 Monate nach ihrer Entstehung, und ein Besuch verlängert sie nicht.",
    },
    one_website: {
      title: "Eine Kennung gehört zu einer Website",
      requirement: "Besucher werden nicht über mehrere Websites verfolgt.",
    },
    no_crossing: {
      title: "Nicht mit anderen Daten verknüpft",
      requirement:
        "Besuche werden nicht mit dem verknüpft, was andere Verarbeitungen wissen, etwa mit Klicks auf Kurzlinks an anderer Stelle.",
    },
    data_age: {
      title: "Daten werden höchstens 25 Monate aufbewahrt",
      requirement: "Was erhoben wurde, wird innerhalb von 25 Monaten gelöscht.",
    },
    retention: {
      title: "Aufbewahrungsfristen werden eingehalten",
      requirement: "Keine Zeile ist älter als die Frist, die für sie zugesagt ist.",
    },
    addresses: {
      title: "Adressen werden nicht gespeichert",
      requirement: "Die IP-Adresse des Besuchers dient dazu, einen Ort zu bestimmen, und wird nicht aufbewahrt.",
    },
    daily_salt: {
      title: "Kennungen lassen sich nicht nachbilden",
      requirement:
        "Woraus Kennungen gebildet werden, wird vernichtet, sodass niemand herausfindet, zu wem sie gehörten.",
    },
    location: {
      title: "Kein genauerer Ort als die Stadt",
      requirement: "Vom Ort des Besuchers wird nichts Genaueres als die Stadt aufbewahrt.",
    },
    direct_identifiers: {
      title: "Keine Namen und Adressen in den Daten",
      requirement: "Pfade, Titel, Kennungen und Eigenschaften enthalten nichts, was eine Person nennt.",
    },
    objection_signals: {
      title: "Signale des Browsers werden beachtet",
      requirement: "Wer Do Not Track oder Global Privacy Control sendet, wird nicht gezählt.",
    },
    objection: {
      title: "Besucher können widersprechen",
      requirement: "Es gibt einen einfachen und kostenlosen Weg zu widersprechen, und der Widerspruch bleibt bestehen.",
    },
    information: {
      title: "Besucher werden informiert",
      requirement: "Die Website sagt deutlich, was wofür gemessen wird und wie man widerspricht.",
    },
    recipients: {
      title: "Niemand sonst erhält die Daten",
      requirement:
        "Daten gehen an niemanden, der sie für eigene Zwecke nutzt; wer sie verarbeitet, tut das im Auftrag und mit Vertrag.",
    },
  },
  findings: {
    notCounted: "Es konnte gerade nicht gezählt werden.",
    noRows: "Es gibt keine Zeilen, die es zeigen würden.",
    purposeUnknown:
      "Wofür die Zahlen genutzt werden, zeigen Zeilen nicht. Listen von Besuchen und Trichter gehen über das Messen der Reichweite hinaus: Entscheiden Sie, was Sie brauchen.",
    private: "Nur Mitglieder Ihrer Organisation und Inhaber ihrer Schlüssel sehen die Zahlen.",
    public: "Jeder darf die Zahlen dieser Website sehen.",
    noVisits: "Keine Zeile gehört zu einem Besucher, also gibt es keine Listen von Besuchen.",
    audienceOnly:
      "Abfragen beantworten nur Zahlen eines Publikums, und kein Export enthält Zeilen von Besuchern. Gespeicherte Besuche dienen dem Zählen.",
    visitsListed: (sessions, ids) =>
      `Abfragen listen einzelne Besuche auf (${sessions} sind gespeichert), und Exporte enthalten Kennungen von Besuchern (${ids}).`,
    groupsLarge: (visitors, days) => `Die kleinste Gruppe der letzten ${days} Tage hat ${visitors} Besucher.`,
    groupsAllowed: (visitors) => `Gruppen von ${visitors} Besuchern dürfen gezeigt werden.`,
    groupsSmall: (field, visitors, days) =>
      `Ein Wert von ${field} steht für ${visitors} der Besucher der letzten ${days} Tage und wird gezeigt.`,
    idsMade: (ids) =>
      ids === "1"
        ? "Der Dienst hat die einzige Kennung selbst gebildet; Seiten haben keine gesendet und speichern keine."
        : `Der Dienst hat alle ${ids} Kennungen selbst gebildet; Seiten haben keine gesendet und speichern keine.`,
    idsSent: (sent, ids) =>
      `Seiten oder Programme haben ${sent} von ${ids} Kennungen gesendet. Mit data-visitor daily oder persistent und mit den meisten SDKs ist eine solche Kennung auf dem Gerät gespeichert.`,
    lifeKept: (days) => `Die Kennung, die am längsten zu sehen war, war ${days} lang zu sehen.`,
    lifeLong: (days) => `Eine Kennung war ${days} lang zu sehen.`,
    lifeUnseen: (days, kept) =>
      `Eine Kennung war ${days} lang zu sehen, und Zeilen werden ${kept} aufbewahrt: Ob sie länger lebt, ist nicht zu sehen.`,
    lifeElsewhere:
      "Gesendete Kennungen werden in einer Form gespeichert, die sich jeden Tag ändert. Wie lange sie dort leben, wo sie entstehen, ist nicht zu sehen.",
    oneWebsite: "Keine Kennung dieser Website kommt auf einer anderen Website der Organisation vor.",
    manyWebsites: (shared, websites) =>
      `${shared} Kennungen kommen auch auf anderen Websites der Organisation vor, eine auf ${websites} Websites.`,
    spreadUnseen:
      "Ihre Zugangsdaten reichen nicht für alle Websites der Organisation; auf denen, für die sie reichen, kommt keine Kennung vor.",
    notJoined: "Kein Seitenaufruf lässt sich mit einem Klick verknüpfen.",
    notJoinedAnyMore: (views) =>
      views === "0"
        ? "Keine Antwort verknüpft Besuche mit Klicks, und Seitenaufrufe werden ohne das gespeichert, womit das ginge."
        : `Keine Antwort verknüpft Besuche mit Klicks. ${views} frühere Seitenaufrufe enthalten bis zum Ende ihrer Frist noch, womit sie verknüpft wurden.`,
    joinable: (links) =>
      `${links} Kurzlinks führen hierher: Seitenaufrufe nach einem Klick werden mit ihm verknüpft. Bisher war es noch keiner.`,
    joined: (views, links) =>
      `${views} Seitenaufrufe lassen sich mit Klicks der halben Stunde davor verknüpfen; ${links} Kurzlinks führen hierher.`,
    ageKept: (days) => `Die längste Frist beträgt ${days}.`,
    ageLong: (days, allowed) => `Eine Frist beträgt ${days}, das ist mehr als ${allowed}.`,
    ageRows: (kind, day) => `Es gibt Zeilen von ${kind} vom ${day}.`,
    retentionKept: "Die älteste Zeile jeder Art liegt innerhalb ihrer Frist.",
    retentionLate: (kind, day) => `Es gibt Zeilen von ${kind} vom ${day}, deren Frist abgelaufen ist.`,
    noAddresses: "Keine Tabelle hat eine Spalte dafür, und vor dem Dienst steht kein Proxy.",
    proxies:
      "Keine Tabelle hat eine Spalte dafür. Was die Proxys vor dem Dienst protokollieren, ist von hier nicht zu sehen.",
    saltsGone: "Die Salze aller früheren Tage sind vernichtet.",
    saltsLeft: (salts) => `${salts} Salze früherer Tage gibt es noch.`,
    cities: (rows) => `${rows} Ereignisse haben eine Stadt, den genauesten Ort, der aufbewahrt wird.`,
    noNames: "Nichts in den Zeilen sieht wie eine E-Mail-Adresse aus, und kein Abfrageparameter wird aufbewahrt.",
    names: (rows, columns) => `${rows} Werte sehen wie E-Mail-Adressen aus, in ${columns}.`,
    parameters: (names) =>
      `Die Werte der Abfrageparameter ${names} werden aufbewahrt; ob sie eine Person nennen, ist nicht bekannt.`,
    signalsHonoured: (events) => `${events} Ereignisse wurden deswegen weggelassen.`,
    signalsIgnored: "Der Dienst zählt diese Besucher.",
    objectionUnknown:
      "Der Tracker bietet lookout.optOut(), und das bleibt bestehen. Ob Ihre Seiten die Schaltfläche haben, ist von hier nicht zu sehen.",
    informationUnknown:
      "Was Ihre Seiten sagen, ist von hier nicht zu sehen. Der Absatz unten ist mit den tatsächlichen Einstellungen ausgefüllt.",
    noRecipients: "Exporte und Sicherungen bleiben auf dieser Installation, und kein Kanal erhält Nachrichten.",
    recipients: (hosts) =>
      `Nachrichten, Exporte oder Sicherungen gehen an ${hosts}. Ob Sie mit diesen Stellen einen Vertrag haben, ist von hier nicht zu sehen.`,
  },
  policy: {
    intro: (host) =>
      `Wir zählen Besuche von ${host} mit der Software Lookout, um zu sehen, welche Seiten gelesen werden, und sie zu verbessern.`,
    visitor: {
      none: "Besucher werden nicht wiedererkannt.",
      made: "Es wird kein Cookie gesetzt und nichts auf Ihrem Gerät gespeichert. Besuche eines Tages werden an einer Kennung erkannt, die aus Ihrer IP-Adresse, Ihrem Browser und einem Zufallswert berechnet wird; dieser Wert wird jede Nacht vernichtet, sodass die Kennung nicht auf Sie zurückgeführt werden kann. Die IP-Adresse selbst wird nicht gespeichert.",
      sent: (days) =>
        `Um Besuche wiederzuerkennen, kann eine zufällige Kennung auf Ihrem Gerät gespeichert werden; bisher war eine Kennung höchstens ${days} in Gebrauch. Ihre IP-Adresse wird nicht gespeichert.`,
      sentForDay:
        "Um Besuche wiederzuerkennen, kann eine zufällige Kennung auf Ihrem Gerät gespeichert werden; wir speichern sie in einer Form, die sich jeden Tag ändert und nicht auf sie zurückgeführt werden kann. Ihre IP-Adresse wird nicht gespeichert.",
      unknown: "Ihre IP-Adresse wird nicht gespeichert.",
    },
    stored: (parts) =>
      `Gespeichert werden die Adresse der Seite, die Zeit, die Seite, von der Sie kamen, Browser, System, Art des Geräts und Sprache sowie Ihr Ort (${parts}), der aus der IP-Adresse geschätzt wird.`,
    places: { country: "Land", region: "Region", city: "Stadt" },
    kept: (raw, aggregated) =>
      `Einzelne Besuche werden nach ${raw} Tagen gelöscht, Tagessummen nach ${aggregated} Tagen.`,
    proxies: "Anfragen laufen über einen Proxyserver, der Ihre IP-Adresse zu ihrer Übermittlung verarbeitet.",
    recipients: (hosts) => `Gespeicherte Daten liegen auch bei ${hosts}.`,
    signals: "Wer mit dem Browser Do Not Track oder Global Privacy Control sendet, wird nicht gezählt.",
    objection:
      "Sie können jederzeit widersprechen: mit der Schaltfläche „Meine Besuche nicht zählen“ auf dieser Seite.",
  },
};
