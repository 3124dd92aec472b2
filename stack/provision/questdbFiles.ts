import { patchedSources } from "./questdbPatch.ts";

export const version = "9.3.4";
export const jarName = `questdb-${version}.jar`;
const compilerVersion = "3.45.0";
const annotationsVersion = "17.0.0";

/** Where Maven works; its files are deleted once the patch is compiled. */
export const workDirectory = "build";
export const compiler = `${workDirectory}/ecj-${compilerVersion}.jar`;
/** Annotations that the compiled sources use. */
export const annotations = `${workDirectory}/annotations-${annotationsVersion}.jar`;

/** SHA-256 of the files that Maven downloads. */
export const checksums: Readonly<Record<string, string>> = {
  [jarName]: "939bc53ab22f93dbaa6545143a6e7c536d4904c07b7f2d381e8eef10436be062",
  [compiler]: "c8f5e66787ea6e4e0394ba3051c86a4edc50683ce9850f71739646529a99a2d7",
  [annotations]: "195fb0da046d55bb042e91543484cf1da68b02bb7afbfe031f229e45ac84b3f2",
  [`${workDirectory}/io/questdb/cairo/ConcurrentBitmapIndexFwdReader.java`]:
    "ed93ac5b2df49e4bf45256b94f16bb0188c55f5317c8ac86016e2d919a4b2a1f",
  [`${workDirectory}/io/questdb/cairo/O3PartitionJob.java`]:
    "f4886aaf892b352b9b34e802c96da429cd6c6a1a97dbc1dc31b75073dc13a30a",
  [`${workDirectory}/io/questdb/cairo/O3Utils.java`]:
    "ed34d7527897793b57c9e4c60477a8a1048e74e3d72bce235fd006dbf820f317",
  [`${workDirectory}/io/questdb/cairo/TableWriter.java`]:
    "c1aea9182949631ac7b5605230d29d9be867a52547625001a5ac3e6b9ac0a674",
  [`${workDirectory}/io/questdb/cairo/pool/ReaderPool.java`]:
    "2ba7318d2662f9e02cf0fc32bfcaff3174a9a4b3f63c371a5a1e2093557d472a",
  [`${workDirectory}/io/questdb/cairo/pool/WalWriterPool.java`]:
    "3917076c7289ac7dfb7a56bd3717a63df431a098e33feb85e106ab012b091cd5",
  [`${workDirectory}/io/questdb/cutlass/pgwire/PGPipelineEntry.java`]:
    "8a0037c641afdeee4e4e31f21e3464fee8e186c6962daf3c0d7dd9a74cce16e0",
};

const artifact = (group: string, name: string, of: string, more: string) =>
  `<artifactItem><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${of}</version>${more}</artifactItem>`;
const into = (directory: string) => `<outputDirectory>${directory}</outputDirectory>`;
const here = `\${project.basedir}`;

/** Maven's phase `validate` puts QuestDB's jar beside the directory of this project, and all other files into it. */
export const project = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>lookout</groupId><artifactId>questdb</artifactId><version>1</version><packaging>pom</packaging>
  <build><plugins><plugin>
    <artifactId>maven-dependency-plugin</artifactId><version>3.6.1</version>
    <executions>
      <execution>
        <id>jars</id><phase>validate</phase><goals><goal>copy</goal></goals>
        <configuration><artifactItems>
          ${artifact("org.questdb", "questdb", version, into(`${here}/..`))}
          ${artifact("org.eclipse.jdt", "ecj", compilerVersion, into(here))}
          ${artifact("org.jetbrains", "annotations", annotationsVersion, into(here))}
        </artifactItems></configuration>
      </execution>
      <execution>
        <id>sources</id><phase>validate</phase><goals><goal>unpack</goal></goals>
        <configuration><artifactItems>
          ${artifact("org.questdb", "questdb", version, `<classifier>sources</classifier><includes>${patchedSources.join(",")}</includes>${into(here)}`)}
        </artifactItems></configuration>
      </execution>
    </executions>
  </plugin></plugins></build>
</project>
`;
