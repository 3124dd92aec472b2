import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { roleScopes } from "../src/access/roleScopes.ts";
import { scopes } from "../src/call/caller.ts";
import { requirement } from "../src/gen/access/v1/access_pb.ts";
import { field as fieldRules } from "../src/gen/buf/validate/validate_pb.ts";
import { services } from "../src/gen/lookout/services.ts";
import { CreateApiKeyRequestSchema } from "../src/gen/lookout/v1/api_keys_pb.ts";
import { ChangeMemberRoleRequestSchema } from "../src/gen/lookout/v1/auth_pb.ts";
import { CreateExportRequestSchema } from "../src/gen/lookout/v1/data_pb.ts";
import { CreateNotificationChannelRequestSchema } from "../src/gen/lookout/v1/notification_channels_pb.ts";
import { CreateStatusReportRequestSchema } from "../src/gen/lookout/v1/status_report_pb.ts";
import { CreateMonitorRequestSchema, UpdateMonitorRequestSchema } from "../src/gen/lookout/v1/uptime_pb.ts";
import { datasets } from "../src/lifecycle/export/datasets.ts";
import { formats } from "../src/lifecycle/export/format/formats.ts";
import { customTables } from "../src/query/custom/tables.ts";
import { fieldNameOf, filterNames, findField } from "../src/query/sql/fields.ts";
import { retentionKinds } from "../src/retention/kinds.ts";
import { columnsOfTable } from "../src/store/questdb/tables.ts";
import type { JsonAssertion } from "../src/uptime/check/checkTypes.ts";
import { channelKinds } from "../src/uptime/notifications/channels/kinds/channelKinds.ts";
import type { NotificationEvent } from "../src/uptime/notifications/message/notificationMessage.ts";
import { roleRights } from "../web/app/src/pages/organization/people/roleRights.ts";
import { formats as appFormats, types as appTypes } from "../web/app/src/pages/settings/data/exportChoices.ts";
import { httpVersions, ipVersions, methods } from "../web/app/src/pages/uptime/form/requestChoices.ts";
import { roles as appRoles } from "../web/app/src/texts/roleName.ts";
import { texts as de } from "../web/app/src/texts/settings/de.ts";
import { texts as en } from "../web/app/src/texts/settings/en.ts";
import { texts as fr } from "../web/app/src/texts/settings/fr.ts";
import { oracleFields } from "./kit/oracle/oracleDefinitions.ts";

/** The rules of the contract for a field of a request. */
function rulesOf(message: DescMessage, name: string) {
  const field: DescField | undefined = message.fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${message.typeName} has no field ${name}`);
  return getOption(field, fieldRules).type;
}

/** The values that the contract allows for a field of a request, or for the items of a list. */
function allowedValues(message: DescMessage, name: string): readonly string[] {
  const type = rulesOf(message, name);
  const rules = type.case === "repeated" ? type.value.items?.type : type;
  return rules?.case === "string" ? rules.value.in : [];
}

const exportedTypes = [...new Set(datasets.map(({ dataType }) => dataType))];

describe("lists of the contract and of the code are the same", () => {
  test.each([
    ["4.12 kinds of notification channels", CreateNotificationChannelRequestSchema, "kind", Object.keys(channelKinds)],
    ["4.18 formats of exports", CreateExportRequestSchema, "format", Object.keys(formats)],
    ["4.18 kinds of data in exports", CreateExportRequestSchema, "data_types", exportedTypes],
    ["5 scopes of API keys", CreateApiKeyRequestSchema, "scopes", [...scopes]],
  ])("%s", (_, message, field, known) => {
    expect([...known].sort()).toEqual([...allowedValues(message, field)].sort());
  });

  test("4.18 one export may hold every kind of data", () => {
    const type = rulesOf(CreateExportRequestSchema, "data_types");
    expect(type.case === "repeated" ? Number(type.value.maxItems) : 0).toBe(exportedTypes.length);
  });

  test("4.8 every list and map of a monitor can be emptied, except those that are never empty", () => {
    const { fields } = UpdateMonitorRequestSchema;
    const several = fields.filter(({ fieldKind }) => fieldKind === "list" || fieldKind === "map");
    const neverEmpty = ["expectedStatus", "regions"];
    expect(several.map(({ localName }) => localName).sort()).toEqual(
      ["clear", ...neverEmpty, ...allowedValues(UpdateMonitorRequestSchema, "clear")].sort(),
    );
  });

  test("5 every scope that an RPC requires exists", () => {
    const required = services.flatMap(({ methods }) => methods.map((method) => getOption(method, requirement).scope));
    expect(required.filter((scope) => scope !== "" && !(scopes as readonly string[]).includes(scope))).toEqual([]);
  });

  test("5 each scope belongs to a role, and members have every scope of viewers", () => {
    expect([...roleScopes.owner].sort()).toEqual([...scopes].sort());
    expect([...roleScopes.viewer].filter((scope) => !roleScopes.member.has(scope))).toEqual([]);
  });
});

/** The values of types, of which a new one does not compile until it stands here. */
const operators = { exists: 1, eq: 1, ne: 1, contains: 1, gt: 1, gte: 1, lt: 1, lte: 1 } satisfies Readonly<
  Record<JsonAssertion["operator"], 1>
>;
const events = {
  "incident.opened": 1,
  "incident.resolved": 1,
  "incident.escalated": 1,
  "certificate.expiring": 1,
  test: 1,
} satisfies Readonly<Record<NotificationEvent, 1>>;

describe("choices of the web app are those of the contract", () => {
  test.each([
    ["formats of exports", CreateExportRequestSchema, "format", appFormats],
    ["kinds of data in exports", CreateExportRequestSchema, "data_types", appTypes],
    ["roles", ChangeMemberRoleRequestSchema, "role", appRoles],
    ["methods of checks", CreateMonitorRequestSchema, "method", methods],
    ["versions of IP", CreateMonitorRequestSchema, "ip_version", Object.keys(ipVersions(""))],
    ["versions of HTTP", CreateMonitorRequestSchema, "http_version", Object.keys(httpVersions(""))],
  ])("%s", (_, message, field, offered) => {
    expect([...offered].sort()).toEqual([...allowedValues(message, field)].sort());
  });

  describe.each([
    ["en", en],
    ["de", de],
    ["fr", fr],
  ])("%s", (_, { uptime, apiKeys, statusPages, settings }) => {
    test.each([
      ["kinds of notification channels", CreateNotificationChannelRequestSchema, "kind", uptime.kinds],
      ["intervals of monitors", CreateMonitorRequestSchema, "interval", uptime.intervals],
      ["scopes of API keys", CreateApiKeyRequestSchema, "scopes", apiKeys.scopes],
      ["states of reports", CreateStatusReportRequestSchema, "status", statusPages.reportStatuses],
    ])("%s", (_, message, field, texts) => {
      expect(Object.keys(texts).sort()).toEqual([...allowedValues(message, field)].sort());
    });

    test("kinds of data that retention counts", () => {
      expect(Object.keys(settings.kinds).sort()).toEqual(retentionKinds.map(({ name }) => name).sort());
    });

    test("comparisons of JSON answers, and events of notifications", () => {
      expect(Object.keys(uptime.fields.operators).sort()).toEqual(Object.keys(operators).sort());
      expect(Object.keys(uptime.events).sort()).toEqual(Object.keys(events).sort());
    });
  });
});

test("5: the web app offers the rights of each role for a limited person", () => {
  for (const [role, rights] of Object.entries(roleRights))
    expect([role, rights.toSorted()]).toEqual([role, [...roleScopes[role as keyof typeof roleScopes]].toSorted()]);
});

describe("2 every column of events is in all lists of event columns", () => {
  /** Numbers that only the service uses: hashes of ids that have columns of their own. */
  const internal = ["event_key", "visitor_key", "session_key", "click_visitor_key"];
  const columns = Object.keys(columnsOfTable.events).filter((column) => !internal.includes(column));
  const filterColumns = new Set(
    filterNames("events").flatMap((name) => {
      const { column, filterColumns } = findField("events", name) ?? { column: "" };
      return filterColumns ?? [column];
    }),
  );
  const textColumns = columns.filter((column) => /SYMBOL|VARCHAR/.test(Reflect.get(columnsOfTable.events, column)));

  test("filters exist for every text column except ids of events and properties, which have their own", () => {
    const apart = ["event_id", "properties"];
    expect(textColumns.filter((column) => !filterColumns.has(column)).sort()).toEqual(apart.sort());
  });

  test("the oracle of queries knows every filter", () => {
    const names = filterNames("events").filter((name) => fieldNameOf("events", name) === name);
    // Its data are of one website.
    const apart = ["properties", "website_id"];
    expect(names.filter((name) => !apart.includes(name) && !(name in oracleFields))).toEqual([]);
  });

  test("structured queries select every column of specification part 2", () => {
    const sources = [...(customTables.get("events")?.columns.values() ?? [])].map(({ source }) =>
      "column" in source ? source.column : "",
    );
    const unnamed = ["city", "browser_version", "os_version", "rtt_ms", "downlink_mbps", "page_count"];
    expect(columns.filter((column) => !sources.includes(column))).toEqual(unnamed);
  });

  test("exports hold every column", () => {
    const exported = datasets.find(({ name }) => name === "events")?.columns.map(({ sql }) => sql) ?? [];
    expect(columns.filter((column) => column !== "ts" && !exported.includes(column))).toEqual([]);
  });

  test.for(["outgoing_links", "performance_metrics", "script_errors", "llm_calls", "link_clicks", "uptime_checks"])(
    "exports hold every column of %s",
    (table) => {
      const exported = datasets.find(({ name }) => name === table)?.columns.map(({ sql }) => sql) ?? [];
      const apart = [...internal, "organization_id", "ts"];
      const stored = Object.entries(columnsOfTable).find(([name]) => name === table)?.[1] ?? {};
      expect(Object.keys(stored).filter((column) => !apart.includes(column) && !exported.includes(column))).toEqual([]);
    },
  );
});
