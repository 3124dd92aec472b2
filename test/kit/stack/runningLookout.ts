/** The product as it runs for all test files: `inject("lookout")`. */
export interface RunningLookout {
  /** `npm start`, or with STACK=scale what `npm run start:scale` starts. */
  readonly kind: "embedded" | "scale";
  readonly baseUrl: string;
  /** Health and metrics of the worker. */
  readonly workerUrl: string;
  readonly organizationId: string;
  readonly websiteId: string;
  /** The owner's key, with every scope. */
  readonly apiKey: string;
  /** The QuestDB that queries read. */
  readonly questdbHttp: string;
  readonly questdbPg: string;
  /** All that have the rows, with the directory of each; the first one is that of `questdbHttp`. */
  readonly questdbs: readonly { readonly http: string; readonly pg: string; readonly root: string }[];
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUi: string;
  /** The settings with which further processes find the stores. */
  readonly storeEnv: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly cacheDir: string;
  /** Path of the grpcurl program. */
  readonly grpcurlPath: string;
}

declare module "vitest" {
  interface ProvidedContext {
    lookout: RunningLookout;
  }
}
