import { describe, expect, test } from "vitest";
import { goRowsText } from "../../codegen/client/goRowsText.ts";
import { javaRowsFiles } from "../../codegen/client/javaRowsText.ts";
import { pythonRowsText } from "../../codegen/client/pythonRowsText.ts";
import { capitalised, rowTypes } from "../../codegen/client/rowTypes.ts";

/** Words that are no names of fields in Python or Java, or of components of Java's records. */
const reserved = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda
  nonlocal not or pass raise return try while with yield abstract boolean byte case catch char const default do double enum extends final
  float goto implements instanceof int interface long native new package private protected public short static strictfp super switch
  synchronized this throw throws transient void volatile true false null clone finalize getClass hashCode notify notifyAll toString wait`.split(
    /\s+/,
  ),
);

describe("4.2 types of rows in other languages", () => {
  test("names of types and fields are names in each language, and stay distinct", () => {
    const types = rowTypes();
    expect(new Set(types.flatMap(({ query, name }) => [capitalised(query), name])).size).toBe(2 * types.length);
    for (const { query, fields } of types) {
      const names = fields.map(({ name }) => capitalised(name));
      expect(new Set(names).size, query).toBe(fields.length);
      for (const { name } of fields) {
        expect(name, query).toMatch(/^[a-z]\w*$/);
        expect(reserved, query).not.toContain(name);
      }
    }
  });

  test("every query type has its row in each language", () => {
    const [go, python, java] = [goRowsText(), pythonRowsText(), javaRowsFiles()];
    for (const { query, name } of rowTypes()) {
      expect(go).toContain(`var ${capitalised(query)} Type[${name}] = newType("${query}", `);
      expect(python).toContain(`\n${query.toUpperCase()} = QueryType[${name}]("${query}"`);
      expect(java[`dev/lookout/rows/${name}.java`]).toContain(`public record ${name}(`);
      expect(java["dev/lookout/QueryTypes.java"]).toContain(`QueryType<${name}> ${query.toUpperCase()} =`);
    }
  });

  test("a field has its type, and may be empty where rows may lack it", () => {
    const java = javaRowsFiles()["dev/lookout/rows/RecentErrorsRow.java"];
    expect(java).toContain("    String message,\n");
    expect(java).toContain("    Double lineno,\n");
    expect(goRowsText()).toContain('Lineno *float64 `json:"lineno"`');
    expect(pythonRowsText()).toContain("    lineno: float | None\n");
  });

  test("a time is one of the language", () => {
    expect(goRowsText()).toMatch(/type SessionListRow struct \{[^}]*FirstVisit \*time\.Time/);
    expect(javaRowsFiles()["dev/lookout/rows/SessionListRow.java"]).toContain("    Instant firstVisit");
    expect(pythonRowsText()).toMatch(/class SessionListRow\(TypedDict\):[^}]*? {4}first_visit: datetime \| None\n/);
    expect(pythonRowsText()).toMatch(/QueryType\[SessionListRow\]\("session_list", times=\("first_visit", /);
  });

  test("a count of a series may be empty, where events are unknown", () => {
    expect(javaRowsFiles()["dev/lookout/rows/PageViewsRow.java"]).toContain("    Long value");
    expect(goRowsText()).toContain("type PageViewsRow struct {");
    expect(goRowsText()).toMatch(/type PageViewsRow struct \{[^}]*Value \*int64 `json:"value"`/);
    expect(pythonRowsText()).toContain("    value: int | None\n");
  });
});
