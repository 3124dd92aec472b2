import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Whether a program is installed and runs: a stand-in of a version manager does not. */
export function runs(program: string, argument: string): boolean {
  return spawnSync(program, [argument], { stdio: "ignore" }).status === 0;
}

/** Java compiles a single file by itself, but only where its compiler is installed. */
export const hasJava = runs("javac", "-version");

/** Reads as a stream, without the directory. */
const reader = `
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.*;

public class Reader {
  public static void main(String[] arguments) throws Exception {
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (var archive = new ZipInputStream(new BufferedInputStream(new FileInputStream(arguments[0])))) {
      for (ZipEntry entry; (entry = archive.getNextEntry()) != null; ) {
        var digest = MessageDigest.getInstance("SHA-256").digest(archive.readAllBytes());
        out.println(entry.getName() + " " + HexFormat.of().formatHex(digest));
      }
    }
  }
}
`;

/** The files that Java's ZipInputStream finds in an archive, each as its name, a space and its SHA-256. Writes its program into the folder. */
export async function readWithJava(archive: string, folder: string): Promise<string[]> {
  const source = join(folder, "Reader.java");
  await writeFile(source, reader);
  const { stdout } = await run("java", [source, archive]);
  return stdout.trimEnd().split("\n");
}
