package dev.lookout;

import io.grpc.Metadata;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an answer has beside its message.
 *
 * @param headers by name in lower case
 * @param trailers by name in lower case
 */
public record Answered(Map<String, String> headers, Map<String, String> trailers) {
  /** Names the request in the service's log. Null where the service did not send it. */
  public String requestId() {
    return headers.get("x-request-id");
  }

  static Answered of(Metadata headers, Metadata trailers) {
    return new Answered(texts(headers), texts(trailers));
  }

  private static Map<String, String> texts(Metadata metadata) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : metadata.keys())
      if (!name.endsWith(Metadata.BINARY_HEADER_SUFFIX))
        texts.put(name, metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
    return texts;
  }
}
