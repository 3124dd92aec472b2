package dev.lookout;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a program calls the service's calls. */
final class CallNames {
  private static final Pattern PATH = Pattern.compile("\\b(?:GET|POST|PUT|PATCH|DELETE) /[\\w/{}-]*");

  private CallNames() {}

  /** A text of the service, which names calls as HTTP does (POST /links/list), with the client's names (links().listLinks). */
  static String inJava(String text) {
    return PATH.matcher(text).replaceAll(found -> Matcher.quoteReplacement(CallsByPath.NAMES.getOrDefault(found.group(), found.group())));
  }
}
