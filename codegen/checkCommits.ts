/** `npm run check:commits`: the subjects of commits are short enough for every list of commits, and begin like a command. */
import { execFileSync } from "node:child_process";

/** Commits up to this one are older than the rule. */
const base = "60ed01c6";
const maxCharacters = 72;
/** The words that are mistaken most often. */
const notImperative = /^(?:Add|Fix|Mend|Test|Renam|Mov|Remov|Chang|Updat|Mak)(?:ed|ing|e?s) /;

const problems = subjects().flatMap((subject) => {
  const found = [
    ...(subject.length > maxCharacters
      ? [`has ${subject.length} characters, at most ${maxCharacters} are allowed`]
      : []),
    ...(/^[A-Z]/.test(subject) ? [] : ["does not begin with a capital letter"]),
    ...(/[.!]$/.test(subject) ? ["ends like a sentence"] : []),
    ...(notImperative.test(subject) ? ["does not begin with an imperative, such as Add or Fix"] : []),
  ];
  return found.map((problem) => `"${subject}" ${problem}`);
});
if (problems.length > 0) {
  console.error(`Subjects of commits to reword (git rebase -i, or git commit --amend):\n${problems.join("\n")}`);
  process.exitCode = 1;
}

/** Of the commits since the base; none where git or its history is missing, as in an archive of the sources. */
function subjects(): readonly string[] {
  try {
    const log = ["log", "--no-merges", "--format=%s", `${base}..HEAD`];
    const text = execFileSync("git", log, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return text.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}
