package dev.lookout;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RequestInfo;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayList;
import java.util.List;

/**
 * The error of every call. Its message says what to do. Its code is one of the API's, such as NOT_FOUND, or one of the constants here
 * where the service did not answer.
 */
public final class LookoutException extends RuntimeException {
  /** Nothing answers at the address. */
  public static final String UNREACHABLE = "UNREACHABLE";

  /** No complete answer came in time. */
  public static final String TIMEOUT = "TIMEOUT";

  /** The answer broke off, or something else than Lookout answers. */
  public static final String BAD_ANSWER = "BAD_ANSWER";

  /** The stream was closed, or the thread interrupted. */
  public static final String CANCELLED = "CANCELLED";

  /** An answer was searched for a query type that the query did not ask. */
  public static final String NOT_ASKED = "NOT_ASKED";

  /** The API's code where a query, or one parameter of it, could not be answered. */
  public static final String QUERY_ERROR = "QUERY_ERROR";

  /**
   * What is wrong with one field of a request.
   *
   * @param field its path, such as parameters[0]
   * @param message what is wrong
   */
  public record Detail(String field, String message) {}

  private static final long serialVersionUID = 1;

  private final String code;
  private final transient List<Detail> details;
  private final String requestId;

  LookoutException(String code, String message, List<Detail> details, String requestId, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.details = List.copyOf(details);
    this.requestId = requestId;
  }

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

  @Override
  public String toString() {
    return code + ": " + getMessage();
  }

  static LookoutException of(StatusRuntimeException error, String address) {
    String code = null;
    String requestId = null;
    List<Detail> details = new ArrayList<>();
    for (Any detail : detailsOf(error)) {
      try {
        if (detail.is(ErrorInfo.class)) code = detail.unpack(ErrorInfo.class).getReason();
        else if (detail.is(RequestInfo.class)) requestId = detail.unpack(RequestInfo.class).getRequestId();
        else if (detail.is(BadRequest.class))
          for (BadRequest.FieldViolation each : detail.unpack(BadRequest.class).getFieldViolationsList())
            details.add(new Detail(each.getField(), each.getDescription()));
      } catch (InvalidProtocolBufferException invalid) {
        error.addSuppressed(invalid);
      }
    }
    String text = error.getStatus().getDescription() == null ? "" : error.getStatus().getDescription();
    if (code != null) {
      String hint = code.equals("INVALID_API_KEY") ? ". Check the apiKey of Lookout" : "";
      return new LookoutException(code, text + hint, details, requestId, error);
    }
    return switch (error.getStatus().getCode()) {
      case DEADLINE_EXCEEDED -> timeout(address, error);
      case CANCELLED -> unanswered(CANCELLED, "The call was cancelled", error);
      // grpc says UNAVAILABLE also of servers that do not speak HTTP/2.
      case UNAVAILABLE -> unanswered(
          UNREACHABLE,
          "Nothing answers at %s (%s). Check the address, and whether Lookout runs and speaks gRPC there".formatted(address, text),
          error);
      default -> unanswered(
          BAD_ANSWER,
          "The answer of %s broke off or is not one of Lookout (%s). Check the address and the proxies on the way"
              .formatted(address, text),
          error);
    };
  }

  static LookoutException timeout(String address, StatusRuntimeException error) {
    return unanswered(TIMEOUT, address + " gave no complete answer in time. Try again, or allow a longer timeout", error);
  }

  private static LookoutException unanswered(String code, String message, StatusRuntimeException error) {
    return new LookoutException(code, message, List.of(), null, error);
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
