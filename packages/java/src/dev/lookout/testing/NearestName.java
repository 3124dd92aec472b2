package dev.lookout.testing;

import java.util.Collection;
import java.util.Comparator;

/** The name that was probably meant. */
final class NearestName {
  private NearestName() {}

  /** Null where none is near: a third of the letters may differ. */
  static String of(String name, Collection<String> names) {
    int most = Math.max(1, name.length() / 3);
    return names.stream()
        .filter(each -> distance(name, each) <= most)
        .min(Comparator.comparingInt(each -> distance(name, each)))
        .orElse(null);
  }

  /** {@code " Did you mean x?"}, or nothing. */
  static String hint(String name, Collection<String> names) {
    String nearest = of(name, names);
    return nearest == null ? "" : ". Did you mean " + nearest + "?";
  }

  /** How many letters must be put in, left out or replaced. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int at = 0; at < row.length; at++) row[at] = at;
    for (int line = 1; line <= one.length(); line++) {
      int before = row[0];
      row[0] = line;
      for (int at = 1; at < row.length; at++) {
        int replaced = before + (one.charAt(line - 1) == other.charAt(at - 1) ? 0 : 1);
        before = row[at];
        row[at] = Math.min(replaced, 1 + Math.min(row[at], row[at - 1]));
      }
    }
    return row[other.length()];
  }
}
