/**
 * Tables of QuestDB. Shared by all websites, a partition a day, rows deduplicated by time, website and key.
 *
 * A SYMBOL holds only few different values and no personal data, because a symbol's dictionary is never erased.
 * `visitor_key` and `session_key` are hashes of the given ids: counting distinct numbers is several times faster than counting
 * strings; null without a visitor. Times are microseconds since 1970 in UTC.
 */
export const columnsOfTable = {
  events: {
    ts: "TIMESTAMP",
    website_id: "SYMBOL",
    event_key: "LONG",
    event_type: "SYMBOL",
    name: "VARCHAR",
    visitor_key: "LONG",
    session_key: "LONG",
    event_id: "VARCHAR",
    anonymous_id: "VARCHAR",
    session_id: "VARCHAR",
    path: "VARCHAR",
    title: "VARCHAR",
    referrer: "VARCHAR",
    referrer_source: "VARCHAR",
    referrer_group: "SYMBOL",
    screen: "VARCHAR",
    viewport: "VARCHAR",
    language: "VARCHAR",
    timezone: "SYMBOL",
    country: "SYMBOL",
    region: "SYMBOL",
    city: "SYMBOL",
    browser: "SYMBOL",
    browser_version: "SYMBOL",
    os: "SYMBOL",
    os_version: "SYMBOL",
    device: "SYMBOL",
    connection: "SYMBOL",
    rtt_ms: "FLOAT",
    downlink_mbps: "FLOAT",
    utm_source: "VARCHAR",
    utm_medium: "VARCHAR",
    utm_campaign: "VARCHAR",
    utm_term: "VARCHAR",
    utm_content: "VARCHAR",
    time_on_page_ms: "DOUBLE",
    scroll_depth_percent: "FLOAT",
    interaction_count: "INT",
    page_count: "INT",
    properties: "VARCHAR",
    click_visitor_key: "LONG",
  },
  outgoing_links: {
    ts: "TIMESTAMP",
    website_id: "SYMBOL",
    event_key: "LONG",
    visitor_key: "LONG",
    session_key: "LONG",
    event_id: "VARCHAR",
    anonymous_id: "VARCHAR",
    session_id: "VARCHAR",
    path: "VARCHAR",
    href: "VARCHAR",
    text: "VARCHAR",
    properties: "VARCHAR",
  },
  /**
   * Clicks on short links. `website_id` is null if the link belongs to its organization only. `visitor_key` is a hash of the visitor with the day's
   * salt, which events.click_visitor_key is as well. `target_path` is the path of the target on the tracked website, without a slash at its
   * end, so null for its first page; both are null for other targets.
   */
  link_clicks: {
    ts: "TIMESTAMP",
    organization_id: "SYMBOL",
    website_id: "SYMBOL",
    link_id: "SYMBOL",
    event_key: "LONG",
    visitor_key: "LONG",
    country: "SYMBOL",
    region: "SYMBOL",
    city: "SYMBOL",
    browser: "SYMBOL",
    os: "SYMBOL",
    device: "SYMBOL",
    language: "VARCHAR",
    referrer_source: "VARCHAR",
    target_website_id: "SYMBOL",
    target_path: "VARCHAR",
  },
  performance_metrics: {
    ts: "TIMESTAMP",
    website_id: "SYMBOL",
    event_key: "LONG",
    metric_type: "SYMBOL",
    value: "DOUBLE",
    visitor_key: "LONG",
    session_key: "LONG",
    session_id: "VARCHAR",
    path: "VARCHAR",
    country: "SYMBOL",
    region: "SYMBOL",
    city: "SYMBOL",
    browser: "SYMBOL",
    os: "SYMBOL",
    device: "SYMBOL",
  },
  script_errors: {
    ts: "TIMESTAMP",
    website_id: "SYMBOL",
    event_key: "LONG",
    message: "VARCHAR",
    error_type: "VARCHAR",
    filename: "VARCHAR",
    line_number: "INT",
    column_number: "INT",
    stack: "VARCHAR",
    path: "VARCHAR",
    visitor_key: "LONG",
    session_key: "LONG",
    event_id: "VARCHAR",
    anonymous_id: "VARCHAR",
    session_id: "VARCHAR",
    country: "SYMBOL",
    region: "SYMBOL",
    browser: "SYMBOL",
    browser_version: "SYMBOL",
    os: "SYMBOL",
    os_version: "SYMBOL",
    device: "SYMBOL",
  },
  /** `website_id` is null if a call belongs to its organization only; `tool_names` is a JSON array. */
  llm_calls: {
    ts: "TIMESTAMP",
    organization_id: "SYMBOL",
    website_id: "SYMBOL",
    event_key: "LONG",
    event_id: "VARCHAR",
    provider: "VARCHAR",
    model: "VARCHAR",
    call_type: "VARCHAR",
    finish_reason: "VARCHAR",
    input_tokens: "INT",
    output_tokens: "INT",
    total_tokens: "INT",
    cached_input_tokens: "INT",
    cache_creation_input_tokens: "INT",
    reasoning_tokens: "INT",
    web_search_count: "INT",
    input_cost_usd: "DOUBLE",
    output_cost_usd: "DOUBLE",
    total_cost_usd: "DOUBLE",
    duration_ms: "DOUBLE",
    http_status: "INT",
    tool_call_count: "INT",
    tool_result_count: "INT",
    tool_names: "VARCHAR",
    error_name: "VARCHAR",
    error_message: "VARCHAR",
    error_stack: "VARCHAR",
    trace_id: "VARCHAR",
  },
  /**
   * A row for each region that checked a slot of a monitor; `ts` is when the slot was due, `started_ms` when the check was
   * sent. `status` is what the region found, `slot_status`
   * what all regions together decided; the next slot is `interval_ms` later. `slot_count` is 1 in one row of each
   * slot and 0 in the others, so that its sum counts slots. `ssl_valid` is 0 or 1, null without a certificate.
   */
  uptime_checks: {
    ts: "TIMESTAMP",
    website_id: "SYMBOL",
    monitor_id: "SYMBOL",
    region: "SYMBOL",
    status: "SYMBOL",
    slot_status: "SYMBOL",
    slot_count: "INT",
    interval_ms: "INT",
    http_code: "INT",
    dns_ms: "FLOAT",
    connect_ms: "FLOAT",
    tls_ms: "FLOAT",
    ttfb_ms: "FLOAT",
    total_ms: "FLOAT",
    response_bytes: "LONG",
    ssl_valid: "INT",
    ssl_expiry_ms: "LONG",
    attempts: "INT",
    started_ms: "LONG",
    finished_ms: "LONG",
    error: "VARCHAR",
  },
  /**
   * `started` is the start; `ts` is the row's place in the table, see sessionPlace.ts. A row without `last_activity_ms` is no session, and readers leave
   * it out: with `idle_until_ms` it is idle time, else a session that is no more.
   */
  sessions: {
    ts: "TIMESTAMP",
    started: "TIMESTAMP",
    website_id: "SYMBOL",
    session_key: "LONG",
    visitor_key: "LONG",
    session_id: "VARCHAR",
    anonymous_id: "VARCHAR",
    last_activity_ms: "LONG",
    page_count: "LONG",
    duration_seconds: "DOUBLE",
    entry_page: "VARCHAR",
    exit_page: "VARCHAR",
    utm_source: "VARCHAR",
    utm_campaign: "VARCHAR",
    country: "SYMBOL",
    idle_until_ms: "LONG",
    action_count: "LONG",
    click_count: "LONG",
    region: "SYMBOL",
    city: "SYMBOL",
    browser: "SYMBOL",
    browser_version: "SYMBOL",
    os: "SYMBOL",
    os_version: "SYMBOL",
    device: "SYMBOL",
    timezone: "SYMBOL",
    referrer_group: "SYMBOL",
    referrer_source: "VARCHAR",
    language: "VARCHAR",
    connection: "SYMBOL",
    screen: "VARCHAR",
    viewport: "VARCHAR",
    referrer: "VARCHAR",
    utm_medium: "VARCHAR",
    utm_term: "VARCHAR",
    utm_content: "VARCHAR",
  },
  daily_aggregates: {
    ts: "TIMESTAMP",
    website_id: "SYMBOL",
    page: "VARCHAR",
    total_views: "LONG",
    unique_visitors: "LONG",
    avg_duration_seconds: "DOUBLE",
    bounce_rate: "DOUBLE",
    top_referrers: "VARCHAR",
  },
  /**
   * What happened on a UTC day, by one field of its visits or events: src/query/daily. `counted` says which events count, `field` what the
   * rows are grouped by (`total`: not at all); `value` is empty where visits have none. `seconds`, `bounces` and `visit_page_views` are sums over
   * the visits, which are whole.
   */
  daily_figures: {
    ts: "TIMESTAMP",
    website_id: "SYMBOL",
    counted: "SYMBOL",
    field: "SYMBOL",
    value: "VARCHAR",
    page_views: "LONG",
    custom_events: "LONG",
    visitors: "LONG",
    sessions: "LONG",
    bounces: "LONG",
    seconds: "DOUBLE",
    visit_page_views: "LONG",
  },
  /**
   * How many events were not stored, by what is known of why: src/ingest/excluded. `ts` is the beginning of a quarter of an hour, so that no row tells
   * when somebody visited, and the days of every time zone are made of whole ones. Each row counts further ones, which came to one API within
   * a few seconds. `kind`, `name` and `operator` are those of a bot.
   */
  excluded_traffic: {
    ts: "TIMESTAMP",
    website_id: "SYMBOL",
    event_key: "LONG",
    reason: "SYMBOL",
    kind: "SYMBOL",
    name: "VARCHAR",
    operator: "VARCHAR",
    events: "LONG",
  },
} as const satisfies Record<string, Record<string, ColumnKind>>;

/** The columns that, with the time, identify a row for deduplication. */
const keysOfTable = {
  events: ["website_id", "event_key"],
  outgoing_links: ["website_id", "event_key"],
  link_clicks: ["link_id", "event_key"],
  performance_metrics: ["website_id", "event_key", "metric_type"],
  script_errors: ["website_id", "event_key"],
  llm_calls: ["organization_id", "event_key"],
  uptime_checks: ["website_id", "monitor_id", "region"],
  sessions: ["website_id", "session_key"],
  daily_aggregates: ["website_id", "page"],
  daily_figures: ["website_id", "counted", "field", "value"],
  excluded_traffic: ["website_id", "event_key"],
} as const satisfies { [T in TableName]: readonly (keyof Columns<T>)[] };

/**
 * Columns with an index. Ninety days of one monitor among a hundred, 13 million rows, are counted in 6 ms with it and in 22 to 47 ms
 * without. Thirty days of a website with 6,800 of 10 million events are answered in a third of the time. An index takes 11 bytes a row.
 */
export const indexedColumns: { readonly [T in AnyTable]?: ReadonlySet<string> } = {
  events: new Set(["website_id"]),
  outgoing_links: new Set(["website_id"]),
  link_clicks: new Set(["website_id", "link_id"]),
  performance_metrics: new Set(["website_id"]),
  script_errors: new Set(["website_id"]),
  llm_calls: new Set(["website_id"]),
  uptime_checks: new Set(["monitor_id"]),
  sessions: new Set(["website_id"]),
  daily_figures: new Set(["website_id"]),
  excluded_traffic: new Set(["website_id"]),
};

/**
 * The length of partitions that are not a day. QuestDB maps each column of each partition that a query reads, and where the system lets a process
 * map few files it keeps few partitions mapped: ninety days of a monitor's checks are counted in 12 ms of weeks and in 59 of days.
 */
const partitioningOf: { readonly [T in TableName]?: "WEEK" } = {
  uptime_checks: "WEEK",
  daily_figures: "WEEK",
  excluded_traffic: "WEEK",
};

/** How many days a partition of a table has. */
export function partitionDays(table: TableName): number {
  return partitioningOf[table] === "WEEK" ? 7 : 1;
}

export type ColumnKind = "TIMESTAMP" | "SYMBOL" | "VARCHAR" | "LONG" | "INT" | "DOUBLE" | "FLOAT";

export type TableName = keyof typeof columnsOfTable;

export const tableNames = Object.keys(columnsOfTable) as readonly TableName[];

/** Where a consumer of the brokers notes how far it is: src/scale/consume/logPositions.ts. */
export const logPositionsTable = "log_positions";

/** All tables that a QuestDB may have of this service. */
export type AnyTable = TableName | typeof logPositionsTable;

export const allTables: readonly AnyTable[] = [...tableNames, logPositionsTable];

type Columns<T extends TableName> = (typeof columnsOfTable)[T];

type Value<Kind extends ColumnKind> = Kind extends "SYMBOL" | "VARCHAR" ? string : number;

type Values<T extends TableName> = { readonly [C in keyof Columns<T>]: Value<Columns<T>[C] & ColumnKind> };

/** Values of a row without its time; the keys are required, undefined becomes null. */
export type RowValues<T extends TableName> = Pick<Values<T>, (typeof keysOfTable)[T][number] & keyof Values<T>> & {
  readonly [C in Exclude<keyof Values<T>, "ts" | (typeof keysOfTable)[T][number]>]?: Values<T>[C] | undefined;
};

/** What names every column: with `satisfies EveryColumn`, a row that forgets one does not compile. */
export type EveryColumn<T extends TableName> = Readonly<Record<keyof RowValues<T>, unknown>>;

/** A row of one table. `tsUs` is in microseconds since 1970; LONG is a safe integer. */
export type RowOf<T extends TableName> = {
  readonly table: T;
  readonly tsUs: number;
  readonly values: RowValues<T>;
  /** Set when the sender gave the event an id: then it is stored once whatever its time, see eventClaims.ts. */
  readonly claimCheck?: number | undefined;
  /** Set when the event was erased and was sent again within 24 hours: then it is not stored, see eventClaims.ts. */
  readonly isErased?: true;
};

/** A row of any table. */
export type TableRow = { [T in TableName]: RowOf<T> }[TableName];

/** Statements that create missing tables; safe to repeat. */
export function createTableStatements(): string[] {
  return tableNames.map((table) => {
    const columns = Object.entries(columnsOfTable[table]).map(
      ([name, kind]) => `${name} ${kind}${indexedColumns[table]?.has(name) ? " INDEX" : ""}`,
    );
    return (
      `CREATE TABLE IF NOT EXISTS ${table} (${columns.join(", ")}) ` +
      `TIMESTAMP(ts) PARTITION BY ${partitioningOf[table] ?? "DAY"} WAL DEDUP UPSERT KEYS(ts, ${keysOfTable[table].join(", ")})`
    );
  });
}
