import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
} from "@bufbuild/protobuf";
import { rateClassOf } from "../access/rateLimit/limitCall.ts";
import { requirementOf } from "../access/requirement.ts";
import type { Requirement } from "../gen/access/v1/access_pb.ts";
import type { RateClass } from "../gen/access/v1/rate_limit_pb.ts";
import { ErrorShape, method as methodJson } from "../gen/gateway/v1/json_pb.ts";
import { http } from "../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../gen/google/api/http_pb.ts";
import { compilePathTemplate, type PathTemplate } from "./json/pathTemplate.ts";
import { parameterFields } from "./json/requestParameters.ts";

/** One HTTP binding of an RPC, from its google.api.http and gateway.v1.method options. Field names are JSON names. */
export type Route = {
  readonly method: DescMethod;
  /** The full name, such as lookout.v1.QueryService.Query; a label in metrics and logs. */
  readonly rpc: string;
  readonly verb: string;
  /** What the caller needs. */
  readonly requirement: Requirement;
  /** The rate limit that calls count towards. */
  readonly rateClass: RateClass;
  readonly template: PathTemplate;
  /** The field for the body; "*" for the whole request, undefined without a body. */
  readonly body: string | undefined;
  readonly bodyIsList: boolean;
  /** The field for a top-level array instead. */
  readonly arrayBody: string | undefined;
  readonly responseBody: DescField | undefined;
  readonly arrayResponse: DescField | undefined;
  readonly errorShape: ErrorShape;
  readonly itemwiseList: ItemwiseList | undefined;
  /** Whether unknown members and parameters are ignored. */
  readonly isLenient: boolean;
  /** The fields that path and query string may set. */
  readonly parameters: ReadonlyMap<string, DescField>;
  /** Whether a single object is accepted as a list of one. */
  readonly singleItem: boolean;
  /** The field to redirect to; errors are then pages for people, and the body may be a form. */
  readonly redirect: DescField | undefined;
  /** The field with the answer as a page. */
  readonly page: DescField | undefined;
};

/** The list of a request whose items are validated one by one (gateway.v1.method.each_item), and the type of its items. */
export type ItemwiseList = { readonly field: string; readonly type: DescMessage };

/** The result of a path: its routes by verb, and the values of the path's variables. */
export type PathMatch = { readonly routes: ReadonlyMap<string, Route>; readonly values: readonly string[] };

/** Finds routes by path. */
export class RouteTable {
  readonly #fixed = new Map<string, { routes: Map<string, Route>; values: readonly string[] }>();
  /** By first segment: trying each pattern takes longer than looking a link up. */
  readonly #templates = new Map<string, { path: string; template: PathTemplate; routes: Map<string, Route> }[]>();

  /** Throws when an option names a field that does not exist, or when two RPCs have the same verb and path. */
  constructor(services: readonly DescService[]) {
    for (const service of services)
      for (const method of service.methods)
        for (const binding of bindingsOf(method)) this.#add(readRoute(method, binding), pathOf(binding));
  }

  /** The routes of a path. Those of lenient calls are found with a slash at the end too, as people copy addresses. */
  find(path: string): PathMatch | undefined {
    const match = this.#match(path);
    if (match !== undefined || !path.endsWith("/")) return match;
    const bare = this.#match(path.slice(0, -1));
    return bare !== undefined && [...bare.routes.values()].every(({ isLenient }) => isLenient) ? bare : undefined;
  }

  #match(path: string): PathMatch | undefined {
    const fixed = this.#fixed.get(path);
    if (fixed !== undefined) return fixed;
    for (const { template, routes } of this.#templates.get(firstSegment(path)) ?? []) {
      const values = template.match(path);
      if (values !== undefined) return { routes, values };
    }
    return undefined;
  }

  #add(route: Route, path: string): void {
    const routes = this.#routesAt(path, route.template);
    const other = routes.get(route.verb);
    if (other !== undefined) throw new Error(`${route.rpc} and ${other.rpc} both claim ${route.verb} ${path}`);
    routes.set(route.verb, route);
  }

  #routesAt(path: string, template: PathTemplate): Map<string, Route> {
    const segment = firstSegment(path);
    if (segment.includes("{")) throw new Error(`${path}: the first segment cannot be a variable`);
    const templates = this.#templates.get(segment) ?? [];
    const known = template.variables.length === 0 ? this.#fixed.get(path) : templates.find((one) => one.path === path);
    if (known !== undefined) return known.routes;
    const routes = new Map<string, Route>();
    if (template.variables.length === 0) this.#fixed.set(path, { routes, values: [] });
    else this.#templates.set(segment, [...templates, { path, template, routes }]);
    return routes;
  }
}

/** The first route of an RPC; undefined for an RPC that only gRPC can call. */
export function routeOf(method: DescMethod): Route | undefined {
  const [binding] = bindingsOf(method);
  return binding === undefined ? undefined : readRoute(method, binding);
}

function bindingsOf(method: DescMethod): HttpRule[] {
  if (!hasOption(method, http)) return [];
  const rule = getOption(method, http);
  return [rule, ...rule.additionalBindings];
}

/** `/l/` of `/l/{slug}`. */
function firstSegment(path: string): string {
  return path.slice(0, path.indexOf("/", 1) + 1);
}

/** The list that google.api.http names as the body, when its items are validated one by one. */
export function itemwiseListOf(method: DescMethod): ItemwiseList | undefined {
  if (!hasOption(method, methodJson) || !getOption(method, methodJson).eachItem) return undefined;
  const list = fieldOf(method.input, getOption(method, http).body);
  if (list.message === undefined) throw new Error(`${method.name}: the items of ${list.name} are no messages`);
  return { field: list.localName, type: list.message };
}

/** Whether unknown members and parameters of a call are ignored (gateway.v1.method.lenient). */
export function isLenient(method: DescMethod): boolean {
  return hasOption(method, methodJson) && getOption(method, methodJson).lenient;
}

function pathOf(rule: HttpRule): string {
  const { pattern } = rule;
  if (pattern.case === undefined || pattern.case === "custom")
    throw new Error("A google.api.http rule needs get, put, post, delete or patch");
  return pattern.value;
}

function readRoute(method: DescMethod, rule: HttpRule): Route {
  const rpc = `${method.parent.typeName}.${method.name}`;
  const json = hasOption(method, methodJson) ? getOption(method, methodJson) : undefined;
  const path = pathOf(rule);
  const body = rule.body === "" || rule.body === "*" ? undefined : fieldOf(method.input, rule.body);
  const template = compilePathTemplate(path);
  for (const name of template.variables) fieldOf(method.input, name);
  if (method.methodKind !== "unary" && !(method.methodKind === "server_streaming" && json?.file))
    throw new Error(`${rpc}: only unary RPCs and files can have an HTTP path`);
  const bodyField = rule.body === "" ? undefined : (body?.jsonName ?? "*");
  const arrayBody = json?.arrayBody ? fieldOf(method.input, json.arrayBody).jsonName : undefined;
  return {
    method,
    rpc,
    verb: rule.pattern.case?.toUpperCase() ?? "",
    requirement: requirementOf(method),
    rateClass: rateClassOf(method),
    template,
    body: bodyField,
    bodyIsList: body?.fieldKind === "list",
    arrayBody,
    parameters: parameterFields(method.input, [bodyField, arrayBody]),
    responseBody: rule.responseBody ? fieldOf(method.output, rule.responseBody) : undefined,
    arrayResponse: json?.arrayResponse ? fieldOf(method.output, json.arrayResponse) : undefined,
    errorShape: json?.errorShape ?? ErrorShape.UNSPECIFIED,
    itemwiseList: itemwiseListOf(method),
    isLenient: isLenient(method),
    singleItem: json?.singleItem ?? false,
    redirect: json?.redirect ? fieldOf(method.output, json.redirect) : undefined,
    page: json?.page ? fieldOf(method.output, json.page) : undefined,
  };
}

function fieldOf(message: DescMessage, name: string): DescField {
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`${message.typeName} has no field ${name}`);
  return field;
}
