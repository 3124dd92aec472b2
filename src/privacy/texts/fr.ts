import type { PrivacyTexts } from "./en.ts";

/** The texts of privacy reports in French. */
export const fr: PrivacyTexts = {
  language: "fr",
  page: {
    title: (website) => `Rapport sur la vie privée de ${website}`,
    made: (at) => `Établi le ${at} (UTC) d’après les réglages en vigueur et les lignes enregistrées.`,
    sums: (fulfilled, broken, unknown) =>
      `Points respectés : ${fulfilled} ; non respectés : ${broken} ; inconnus : ${unknown}.`,
    states: { fulfilled: "respecté", broken: "non respecté", unknown: "inconnu" },
    askedBy: "Demandé par",
    brokenBy: "Non respecté à cause de",
    noSetting: "aucun réglage de cette version n’y change rien",
    settings: "En vigueur",
    counts: "Compté",
    oldest: (at) => `la plus ancienne du ${at}`,
    notKnown: "inconnu",
    policy: "Un paragraphe pour votre politique de confidentialité",
  },
  authorities: {
    cnil: "CNIL (France), auto-évaluation de la mesure d’audience",
    ico: "ICO (Royaume-Uni), finalités statistiques",
    dsk: "DSK (Allemagne), fournisseurs de services numériques",
  },
  disclaimer:
    "Ce rapport n’est pas un conseil juridique et aucune autorité ne l’a confirmé. Il compare des réglages et des comptages aux points de lignes directrices publiées, connues par des comptes rendus. Ce que les lignes ne montrent pas, comme l’usage que vous faites des chiffres, reste inconnu.",
  rounded: (step) =>
    `Les nombres de lignes et d’identifiants sont arrondis au multiple supérieur de ${step}, les heures au jour.`,
  points: {
    purpose: {
      title: "La mesure d’audience est la seule finalité",
      requirement: "Les chiffres servent à mesurer et à améliorer le site, et à rien d’autre.",
    },
    publisher_alone: {
      title: "Pour l’éditeur seul",
      requirement: "Seul l’éditeur du site, et qui travaille pour lui, reçoit les chiffres.",
    },
    statistics_only: {
      title: "Des statistiques anonymes comme résultat",
      requirement: "Il en sort des statistiques, et non des listes de visites ou de visiteurs.",
    },
    small_groups: {
      title: "Pas de petits groupes",
      requirement: "Un chiffre représente assez de visiteurs pour que personne ne soit reconnu : ici au moins 10.",
    },
    device_storage: {
      title: "Rien n’est enregistré sur l’appareil",
      requirement:
        "La mesure n’enregistre rien sur l’appareil du visiteur et n’y lit rien ; sinon un consentement peut être nécessaire.",
    },
    tracker_life: {
      title: "Les identifiants vivent 13 mois au plus",
      requirement: "L’identifiant d’un visiteur prend fin 13 mois après sa création, et une visite ne le prolonge pas.",
    },
    one_website: {
      title: "Un identifiant appartient à un seul site",
      requirement: "Les visiteurs ne sont pas suivis d’un site à l’autre.",
    },
    no_crossing: {
      title: "Pas de croisement avec d’autres données",
      requirement:
        "Les visites ne sont pas croisées avec d’autres traitements, comme les clics sur des liens courts publiés ailleurs.",
    },
    data_age: {
      title: "Les données sont conservées 25 mois au plus",
      requirement: "Ce qui a été collecté est effacé dans les 25 mois.",
    },
    retention: {
      title: "Les durées de conservation sont tenues",
      requirement: "Aucune ligne n’est plus ancienne que la durée annoncée pour elle.",
    },
    addresses: {
      title: "Aucune adresse n’est enregistrée",
      requirement: "L’adresse IP du visiteur sert à trouver un lieu et n’est pas conservée.",
    },
    daily_salt: {
      title: "Les identifiants ne peuvent pas être recalculés",
      requirement: "Ce dont les identifiants sont faits est détruit, pour que personne ne retrouve à qui ils étaient.",
    },
    location: {
      title: "Aucun lieu plus précis que la ville",
      requirement: "Du lieu du visiteur, rien de plus précis que la ville n’est conservé.",
    },
    direct_identifiers: {
      title: "Ni noms ni adresses dans les données",
      requirement: "Chemins, titres, identifiants et propriétés ne contiennent rien qui désigne une personne.",
    },
    objection_signals: {
      title: "Les signaux du navigateur sont respectés",
      requirement: "Qui envoie Do Not Track ou Global Privacy Control n’est pas compté.",
    },
    objection: {
      title: "Les visiteurs peuvent s’opposer",
      requirement: "Il existe un moyen simple et gratuit de s’opposer, et l’opposition dure.",
    },
    information: {
      title: "Les visiteurs sont informés",
      requirement: "Le site dit clairement ce qui est mesuré, pourquoi, et comment s’y opposer.",
    },
    recipients: {
      title: "Personne d’autre ne reçoit les données",
      requirement:
        "Les données ne vont à personne qui les utilise pour son propre compte ; qui les traite le fait sous contrat.",
    },
  },
  findings: {
    notCounted: "Le comptage n’était pas possible.",
    noRows: "Aucune ligne ne permet de le montrer.",
    purposeUnknown:
      "Les lignes ne montrent pas à quoi servent les chiffres. Les listes de visites et les entonnoirs vont au-delà de la mesure d’audience : décidez de ce dont vous avez besoin.",
    private: "Seuls les membres de votre organisation et les détenteurs de ses clés voient les chiffres.",
    public: "Tout le monde peut voir les chiffres de ce site.",
    noVisits: "Aucune ligne n’appartient à un visiteur ; il n’y a donc pas de liste de visites.",
    audienceOnly:
      "Les requêtes ne répondent que par des chiffres d’audience, et aucun export ne contient de lignes de visiteurs. Les visites enregistrées servent à compter.",
    visitsListed: (sessions, ids) =>
      `Des requêtes listent des visites (enregistrées : ${sessions}), et les exports contiennent des identifiants de visiteurs (${ids}).`,
    groupsLarge: (visitors, days) => `Le plus petit groupe des ${days} derniers jours compte ${visitors} visiteurs.`,
    groupsAllowed: (visitors) => `Des groupes de ${visitors} visiteurs peuvent être affichés.`,
    groupsSmall: (field, visitors, days) =>
      `Une valeur de ${field} représente ${visitors} des visiteurs des ${days} derniers jours, et elle est affichée.`,
    idsMade: (ids) =>
      ids === "1"
        ? "Le service a calculé lui-même le seul identifiant ; les pages n’en ont envoyé aucun et n’en enregistrent pas."
        : `Le service a calculé lui-même tous les identifiants (${ids}) ; les pages n’en ont envoyé aucun et n’en enregistrent pas.`,
    idsSent: (sent, ids) =>
      `Des pages ou des programmes ont envoyé ${sent} identifiants sur ${ids}. Avec data-visitor daily ou persistent, et avec la plupart des SDK, un tel identifiant est enregistré sur l’appareil.`,
    lifeKept: (days) => `L’identifiant vu le plus longtemps l’a été pendant ${days}.`,
    lifeLong: (days) => `Un identifiant a été vu pendant ${days}.`,
    lifeUnseen: (days, kept) =>
      `Un identifiant a été vu pendant ${days}, et les lignes sont conservées ${kept} : rien ne montre s’il vit plus longtemps.`,
    lifeElsewhere:
      "Les identifiants envoyés sont enregistrés sous une forme qui change chaque jour. Rien ne montre combien de temps ils vivent là où ils sont créés.",
    oneWebsite: "Aucun identifiant de ce site n’apparaît sur un autre site de l’organisation.",
    manyWebsites: (shared, websites) =>
      `${shared} identifiants apparaissent aussi sur d’autres sites de l’organisation, l’un d’eux sur ${websites} sites.`,
    spreadUnseen:
      "Vos droits ne couvrent pas tous les sites de l’organisation ; sur ceux qu’ils couvrent, aucun identifiant n’apparaît.",
    notJoined: "Aucune page vue ne peut être croisée avec un clic.",
    notJoinedAnyMore: (views) =>
      views === "0"
        ? "Aucune réponse ne croise visites et clics, et les pages vues sont enregistrées sans ce qui le permettrait."
        : `Aucune réponse ne croise visites et clics. ${views} pages vues antérieures contiennent encore, jusqu’à la fin de leur durée, ce qui servait à les croiser.`,
    joinable: (links) =>
      `${links} liens courts mènent ici : les pages vues après un clic seront croisées avec lui. Aucune ne l’a été jusqu’ici.`,
    joined: (views, links) =>
      `${views} pages vues peuvent être croisées avec des clics de la demi-heure précédente ; ${links} liens courts mènent ici.`,
    ageKept: (days) => `La durée la plus longue est de ${days}.`,
    ageLong: (days, allowed) => `Une durée est de ${days}, soit plus de ${allowed}.`,
    ageRows: (kind, day) => `Il existe des lignes de ${kind} du ${day}.`,
    retentionKept: "La ligne la plus ancienne de chaque type est dans sa durée de conservation.",
    retentionLate: (kind, day) => `Il existe des lignes de ${kind} du ${day}, dont la durée est dépassée.`,
    noAddresses: "Aucune table n’a de colonne pour elle, et aucun proxy ne précède le service.",
    proxies:
      "Aucune table n’a de colonne pour elle. Ce que journalisent les proxys placés devant le service n’est pas visible d’ici.",
    saltsGone: "Les sels de tous les jours précédents sont détruits.",
    saltsLeft: (salts) => `Il reste ${salts} sels de jours précédents.`,
    cities: (rows) => `${rows} événements ont une ville, le lieu le plus précis qui soit conservé.`,
    noNames: "Rien dans les lignes ne ressemble à une adresse e-mail, et aucun paramètre de requête n’est conservé.",
    names: (rows, columns) => `${rows} valeurs ressemblent à des adresses e-mail, dans ${columns}.`,
    parameters: (names) =>
      `Les valeurs des paramètres de requête ${names} sont conservées ; on ne sait pas si elles désignent une personne.`,
    signalsHonoured: (events) => `${events} événements ont été écartés pour cette raison.`,
    signalsIgnored: "Le service compte ces visiteurs.",
    objectionUnknown:
      "Le traceur offre lookout.optOut(), dont l’effet dure. Rien ne montre d’ici si vos pages ont le bouton.",
    informationUnknown:
      "Ce que disent vos pages n’est pas visible d’ici. Le paragraphe ci-dessous est rempli avec les réglages réels.",
    noRecipients: "Exports et sauvegardes restent sur cette installation, et aucun canal ne reçoit de messages.",
    recipients: (hosts) =>
      `Des messages, des exports ou des sauvegardes vont à ${hosts}. Rien ne montre d’ici si vous avez un contrat avec ces destinataires.`,
  },
  policy: {
    intro: (host) =>
      `Nous comptons les visites de ${host} avec le logiciel Lookout, afin de voir quelles pages sont lues et de les améliorer.`,
    visitor: {
      none: "Les visiteurs ne sont pas reconnus.",
      made: "Aucun cookie n’est déposé et rien n’est enregistré sur votre appareil. Les visites d’une même journée sont reconnues à un identifiant calculé à partir de votre adresse IP, de votre navigateur et d’une valeur aléatoire ; cette valeur est détruite chaque nuit, si bien que l’identifiant ne permet pas de remonter jusqu’à vous. L’adresse IP elle-même n’est pas enregistrée.",
      sent: (days) =>
        `Pour reconnaître les visites, un identifiant aléatoire peut être enregistré sur votre appareil ; jusqu’ici, un identifiant a servi ${days} au plus. Votre adresse IP n’est pas enregistrée.`,
      sentForDay:
        "Pour reconnaître les visites, un identifiant aléatoire peut être enregistré sur votre appareil ; nous l’enregistrons sous une forme qui change chaque jour et ne permet pas de le retrouver. Votre adresse IP n’est pas enregistrée.",
      unknown: "Votre adresse IP n’est pas enregistrée.",
    },
    stored: (parts) =>
      `Sont enregistrés l’adresse de la page, l’heure, la page d’où vous venez, le navigateur, le système, le type d’appareil et la langue, ainsi que votre lieu (${parts}), estimé d’après l’adresse IP.`,
    places: { country: "pays", region: "région", city: "ville" },
    kept: (raw, aggregated) =>
      `Les visites sont effacées après ${raw} jours, les totaux par jour après ${aggregated} jours.`,
    proxies: "Les requêtes passent par un serveur proxy, qui traite votre adresse IP pour les acheminer.",
    recipients: (hosts) => `Les données enregistrées se trouvent aussi chez ${hosts}.`,
    signals: "Qui envoie Do Not Track ou Global Privacy Control avec son navigateur n’est pas compté.",
    objection: "Vous pouvez vous opposer à tout moment : avec le bouton « Ne pas compter mes visites » de cette page.",
  },
};
