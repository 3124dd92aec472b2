/**
 * Writes TypeScript enums as constant objects of the same name and type: Node runs TypeScript by erasing types, and an enum
 * is code that cannot be erased. protoc-gen-es has no option for it.
 */
export function erasableEnums(source: string): string {
  return source.replace(/^export enum (\w+) \{\n([\s\S]*?)^\}/gm, (_, name: string, body: string) => {
    const members = body.replace(/^ {2}(\w+) = (-?\d+),$/gm, "  $1: $2,");
    return `export const ${name} = {\n${members}} as const;\n\nexport type ${name} = (typeof ${name})[keyof typeof ${name}];`;
  });
}
