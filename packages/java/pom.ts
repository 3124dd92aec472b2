export type Dependency = {
  readonly groupId: string;
  readonly artifactId: string;
  readonly version: string;
  readonly type?: string;
  readonly classifier?: string;
  /** runtime: needed by programs, not to compile. */
  readonly scope?: "runtime";
};

export const groupId = "dev.lookout";
export const artifactId = "lookout-client";

const grpcVersion = "1.85.1";
export const protobufVersion = "4.36.2";

/** What the client needs, at the versions that it is built and tested with. */
export const dependencies: readonly Dependency[] = [
  // What grpc-core depends on anyway: reads webhooks.
  { groupId: "com.google.code.gson", artifactId: "gson", version: "2.14.0" },
  { groupId: "com.google.protobuf", artifactId: "protobuf-java", version: protobufVersion },
  { groupId: "io.grpc", artifactId: "grpc-protobuf", version: grpcVersion },
  { groupId: "io.grpc", artifactId: "grpc-stub", version: grpcVersion },
  { groupId: "io.grpc", artifactId: "grpc-netty-shaded", version: grpcVersion, scope: "runtime" },
];

/** The Maven description of the client. */
export function pom(version: string, needed: readonly Dependency[] = dependencies): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${groupId}</groupId>
  <artifactId>${artifactId}</artifactId>
  <version>${version}</version>
  <name>Lookout client</name>
  <description>Typed client of Lookout: web analytics, uptime monitoring and short links</description>
  <licenses>
    <license>
      <name>Apache-2.0</name>
      <url>https://www.apache.org/licenses/LICENSE-2.0</url>
    </license>
  </licenses>
  <dependencies>
${needed.map(dependencyText).join("")}  </dependencies>
</project>
`;
}

function dependencyText(dependency: Dependency): string {
  const members = Object.entries(dependency).map(([name, value]) => `      <${name}>${value}</${name}>\n`);
  return `    <dependency>\n${members.join("")}    </dependency>\n`;
}
