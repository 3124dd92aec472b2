package dev.lookout;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RequestInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import dev.lookout.v1.FieldSuggestion;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The error of every call. Its message says what to do. Its code is one of the API's, such as NOT_FOUND, or one of the constants here
 * where the service did not answer.
 */
public final class LookoutException extends RuntimeException {
  /** Nothing answers at the address. */
  public static final String UNREACHABLE = "UNREACHABLE";

  /** No complete answer came in time. */
  public static final String TIMEOUT = "TIMEOUT";

  /** The answer broke off, so that the call may have been carried out, or something else than Lookout answers. */
  public static final String BAD_ANSWER = "BAD_ANSWER";

  /** The client was closed, the future of the call cancelled, or the thread interrupted. */
  public static final String CANCELLED = "CANCELLED";

  /** An answer was searched for a query type that the query did not ask. */
  public static final String NOT_ASKED = "NOT_ASKED";

  // Codes of the API. docs/user/errors.md describes them.

  /** The object does not exist, or the key may not see it. */
  public static final String NOT_FOUND = "NOT_FOUND";

  /** Fields are wrong: {@link #details} names them. */
  public static final String VALIDATION_ERROR = "VALIDATION_ERROR";

  /** A query, or one parameter of it, could not be answered. */
  public static final String QUERY_ERROR = "QUERY_ERROR";

  /** There were too many calls. {@link #retryAfter} says when the next one may succeed. */
  public static final String RATE_LIMIT_EXCEEDED = "RATE_LIMIT_EXCEEDED";

  /** The service, or the proxy before it, cannot answer now. */
  public static final String SERVICE_UNAVAILABLE = "SERVICE_UNAVAILABLE";

  /** The call needs a key or a session, or the session has ended. */
  public static final String AUTH_REQUIRED = "AUTH_REQUIRED";

  /** The key is wrong, revoked or has expired. */
  public static final String INVALID_API_KEY = "INVALID_API_KEY";

  /**
   * The key lacks a scope, which the message names, the person a role, or neither may see what a query asks about, which may also not
   * exist.
   */
  public static final String ACCESS_DENIED = "ACCESS_DENIED";

  /** The request lacks something. */
  public static final String MISSING_PARAMETER = "MISSING_PARAMETER";

  /** A query names no website, monitor, link or organization to ask about. */
  public static final String MISSING_PROJECT_ID = "MISSING_PROJECT_ID";

  /** The request names no website. */
  public static final String MISSING_WEBSITE_ID = "MISSING_WEBSITE_ID";

  /** A password, or a sign-in, is missing or wrong. */
  public static final String UNAUTHORIZED = "UNAUTHORIZED";

  /** Another site's page may have sent the call, which has a session's cookie. A key that lacks a scope is {@link #ACCESS_DENIED}. */
  public static final String FORBIDDEN = "FORBIDDEN";

  /** The call does not fit to what there is. With {@link #retryAfter}, the first call with the same idempotency key is under way. */
  public static final String CONFLICT = "CONFLICT";

  /** A query could not be compiled. */
  public static final String COMPILATION_ERROR = "COMPILATION_ERROR";

  /** There is no such query type. */
  public static final String UNKNOWN_QUERY_TYPE = "UNKNOWN_QUERY_TYPE";

  /** There is no such preset. */
  public static final String INVALID_DATE_PRESET = "INVALID_DATE_PRESET";

  /** The service has failed. {@link #requestId} names the request in its log. */
  public static final String INTERNAL_SERVER_ERROR = "INTERNAL_SERVER_ERROR";

  /** This version of the service does not have the call. */
  public static final String NOT_IMPLEMENTED = "NOT_IMPLEMENTED";

  /**
   * What is wrong with one field of a request.
   *
   * @param field its path, such as parameters[0]
   * @param message what is wrong
   * @param suggestion the nearest valid value; null where none is near
   */
  public record Detail(String field, String message, String suggestion) {}

  private static final Set<String> TEMPORARY =
      Set.of(UNREACHABLE, TIMEOUT, BAD_ANSWER, RATE_LIMIT_EXCEEDED, INTERNAL_SERVER_ERROR, SERVICE_UNAVAILABLE);

  // grpc names the HTTP status of a proxy only in its text.
  private static final Pattern PROXY_STATUS = Pattern.compile("HTTP status code (\\d{3})");

  private static final Metadata.Key<String> RETRY_AFTER =
      Metadata.Key.of("retry-after", Metadata.ASCII_STRING_MARSHALLER);

  private static final long serialVersionUID = 1;

  private final String code;
  private final transient List<Detail> details;
  private final String requestId;
  private final Duration retryAfter;
  // Whether waiting does not help, whatever the code says.
  private final boolean isLasting;

  LookoutException(
      String code, String message, List<Detail> details, String requestId, Duration retryAfter, Throwable cause) {
    this(code, message, details, requestId, retryAfter, cause, cause instanceof StatusRuntimeException error && FailureReason.isLasting(code, error));
  }

  private LookoutException(
      String code, String message, List<Detail> details, String requestId, Duration retryAfter, Throwable cause, boolean isLasting) {
    super(message, cause);
    this.code = code;
    this.details = List.copyOf(details);
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.isLasting = isLasting;
  }

  /** A failure that does not pass by itself. */
  static LookoutException lasting(String code, String message) {
    return new LookoutException(code, message, List.of(), null, null, null, true);
  }

  /**
   * A failure as the service answers it, for tests of code that handles failures.
   *
   * @param code such as {@link #NOT_FOUND}
   * @param message what to do
   * @param details what is wrong with which fields
   */
  public static LookoutException of(String code, String message, Detail... details) {
    return of(code, message, null, details);
  }

  /**
   * The same with a time to wait, such as of {@link #RATE_LIMIT_EXCEEDED}: {@link #of(String, String, Detail...)}.
   *
   * @param retryAfter how long the service asks to wait before the next try; null for no such time
   */
  public static LookoutException of(String code, String message, Duration retryAfter, Detail... details) {
    return new LookoutException(code, message, List.of(details), null, retryAfter, null);
  }

  /** The same failure, with the stack of the caller instead of that of the thread that received it. */
  LookoutException thrownHere() {
    return new LookoutException(code, getMessage(), details(), requestId, retryAfter, getCause(), isLasting);
  }

  /** One of the API's codes, such as NOT_FOUND, or one of the constants here; never null. */
  public String code() {
    return code;
  }

  /** What is wrong with which fields of the request; empty for most errors. */
  public List<Detail> details() {
    return details == null ? List.of() : details;
  }

  /** Names the request in the service's log. Null where the service did not answer. */
  public String requestId() {
    return requestId;
  }

  /** How long the service asks to wait before the next try. Null where it does not ask. */
  public Duration retryAfter() {
    return retryAfter;
  }

  /** Whether the same call may succeed later. Whether it may be made twice depends on the call. */
  public boolean isTemporary() {
    // The first try of a creating call, with the same idempotency key, is still being carried out.
    boolean isUnderWay = code.equals(CONFLICT) && retryAfter != null;
    return !isLasting && TEMPORARY.contains(code) || isUnderWay;
  }

  /** The HTTP status with which something else than Lookout answered; 0 for all other failures. */
  int status() {
    String text = getCause() instanceof StatusRuntimeException cause ? cause.getStatus().getDescription() : null;
    Matcher proxy = PROXY_STATUS.matcher(text == null ? "" : text);
    return proxy.find() ? Integer.parseInt(proxy.group(1)) : 0;
  }

  @Override
  public String toString() {
    return code + ": " + getMessage();
  }

  /** @param ending what to say of a call whose answer broke off */
  static LookoutException of(StatusRuntimeException error, String address, boolean isSent, String ending) {
    Facts facts = new Facts();
    for (Any detail : detailsOf(error)) {
      try {
        facts.add(detail);
      } catch (InvalidProtocolBufferException invalid) {
        error.addSuppressed(invalid);
      }
    }
    Duration retryAfter = facts.retryAfter == null ? retryAfterOf(error.getTrailers()) : facts.retryAfter;
    String text = error.getStatus().getDescription() == null ? "" : error.getStatus().getDescription();
    if (facts.code == null) return withoutAnswer(error, text, address, retryAfter, isSent, ending);
    String hint = facts.code.equals(INVALID_API_KEY) ? ". Check the apiKey of Lookout" : "";
    List<Detail> details =
        facts.wrong.stream()
            .map(each -> new Detail(each.getField(), CallNames.inJava(each.getDescription()), facts.suggestions.get(each.getField())))
            .toList();
    return new LookoutException(facts.code, CallNames.inJava(text) + hint, details, facts.requestId, retryAfter, error);
  }

  /** The details of an answer. */
  private static final class Facts {
    String code;
    String requestId;
    Duration retryAfter;
    List<BadRequest.FieldViolation> wrong = List.of();
    final Map<String, String> suggestions = new HashMap<>();

    void add(Any detail) throws InvalidProtocolBufferException {
      if (detail.is(ErrorInfo.class)) code = detail.unpack(ErrorInfo.class).getReason();
      else if (detail.is(RequestInfo.class)) requestId = detail.unpack(RequestInfo.class).getRequestId();
      else if (detail.is(BadRequest.class)) wrong = detail.unpack(BadRequest.class).getFieldViolationsList();
      else if (detail.is(RetryInfo.class)) {
        var delay = detail.unpack(RetryInfo.class).getRetryDelay();
        retryAfter = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
      } else if (detail.is(FieldSuggestion.class)) {
        var suggestion = detail.unpack(FieldSuggestion.class);
        suggestions.putIfAbsent(suggestion.getField(), suggestion.getSuggestion());
      }
    }
  }

  private static LookoutException withoutAnswer(
      StatusRuntimeException error, String text, String address, Duration retryAfter, boolean isSent, String ending) {
    Matcher proxy = PROXY_STATUS.matcher(text);
    String passing = proxy.find() ? passingCode(Integer.parseInt(proxy.group(1))) : null;
    if (passing != null) {
      String message = "A proxy before %s answered %s. Try again later".formatted(address, proxy.group(1));
      return new LookoutException(passing, message, List.of(), null, retryAfter, error);
    }
    int refusal = FailureReason.refusalOfProxy(error);
    if (refusal > 0) {
      String code = passingCode(refusal);
      String message =
          "The proxy on the way to %s refuses the connection (status %d). %s"
              .formatted(address, refusal, code == null ? "Check the proxy of LookoutBuilder.proxy or https.proxyHost, and what it allows" : "Try again later");
      return new LookoutException(code == null ? BAD_ANSWER : code, message, List.of(), null, null, error);
    }
    String untrusted = FailureReason.untrusted(error);
    if (untrusted != null) return unanswered(UNREACHABLE, "Nothing was sent to %s: %s".formatted(address, untrusted), error);
    String reason = FailureReason.of(error, text, address);
    return switch (error.getStatus().getCode()) {
      case DEADLINE_EXCEEDED -> timeout(address, error);
      case CANCELLED -> cancelled("The call was cancelled", error);
      // grpc says UNAVAILABLE also where the connection ends before the answer.
      case UNAVAILABLE -> isSent
          ? brokenOff(address, reason, ending, error)
          : unanswered(
              UNREACHABLE,
              "Nothing answers at %s (%s). Check the address, and whether Lookout runs and speaks gRPC there".formatted(address, reason),
              error);
      default -> isSent && !FailureReason.isOtherServer(text)
          ? brokenOff(address, reason, ending, error)
          : unanswered(
              BAD_ANSWER,
              "What answers at %s is not Lookout, or does not speak gRPC (%s). Check the address and the proxies on the way"
                  .formatted(address, reason),
              error);
    };
  }

  /** The code of a proxy's answer that passes by itself; null for others. */
  private static String passingCode(int status) {
    if (status == 429) return RATE_LIMIT_EXCEEDED;
    return status == 408 || status >= 500 ? SERVICE_UNAVAILABLE : null;
  }

  private static LookoutException brokenOff(String address, String reason, String ending, StatusRuntimeException error) {
    return unanswered(BAD_ANSWER, "The answer of %s broke off (%s); %s".formatted(address, reason, ending), error);
  }

  static LookoutException timeout(String address, StatusRuntimeException error) {
    return unanswered(TIMEOUT, address + " gave no complete answer in time. Try again, or allow a longer timeout", error);
  }

  static LookoutException cancelled(String message, Throwable cause) {
    return unanswered(CANCELLED, message, cause);
  }

  private static LookoutException unanswered(String code, String message, Throwable cause) {
    return new LookoutException(code, message, List.of(), null, null, cause);
  }

  private static Duration retryAfterOf(Metadata trailers) {
    String text = trailers == null ? null : trailers.get(RETRY_AFTER);
    if (text == null) return null;
    if (text.matches("\\d{1,9}")) return Duration.ofSeconds(Long.parseLong(text));
    try {
      Duration until = Duration.between(Instant.now(), Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
      return until.isNegative() ? Duration.ZERO : until;
    } catch (DateTimeException noDate) {
      return null;
    }
  }

  private static List<Any> detailsOf(StatusRuntimeException error) {
    try {
      Status status = StatusProto.fromThrowable(error);
      return status == null ? List.of() : status.getDetailsList();
    } catch (IllegalArgumentException contradiction) {
      // The details are about another code than the answer has.
      return List.of();
    }
  }
}
