package dev.lookout;

import io.grpc.StatusRuntimeException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why a call has failed, in one line: grpc's own texts hold Netty's pipeline, or a whole page of HTML. */
final class FailureReason {
  private static final int MOST_LETTERS = 200;
  private static final Pattern STATUS_OF_PROXY = Pattern.compile("\\bstatus: (\\d{3})\\b");

  private FailureReason() {}

  static String of(StatusRuntimeException error, String text, String address) {
    for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (isOfProxy(cause))
        return "the proxy does not connect: " + firstLine(message);
      if (cause instanceof ConnectException) return firstLine(message.replaceFirst("^finishConnect\\(\\.\\.\\) failed[^:]*: ", ""));
      if (cause instanceof UnknownHostException) return "there is no such host: " + firstLine(message);
      // Netty's class is in a package that grpc has renamed.
      if (cause.getClass().getSimpleName().equals("NotSslRecordException"))
        return "the server does not speak TLS: perhaps the address begins with http://";
    }
    // What a server of TLS does with the first bytes of a connection that are none of TLS.
    if (text.contains("Network closed for unknown reason") && address.startsWith("http://"))
      return "the server has closed the connection: perhaps it speaks TLS and the address begins with https://";
    return firstLine(text);
  }

  /** Why the server's certificate is not trusted; null for other failures. Nothing changes by itself there. */
  static String untrusted(StatusRuntimeException error) {
    for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.contains("PKIX") || message.contains("No trusted") || message.contains("unable to find valid certification path"))
        return "the server's certificate is not of a trusted authority: pass yours with LookoutBuilder.trust";
      if (message.startsWith("No name matching") || message.startsWith("No subject alternative"))
        return "the server's certificate is for another host: " + firstLine(message);
    }
    return null;
  }

  /** The status with which a proxy has refused to connect; 0 for other failures. */
  static int refusalOfProxy(StatusRuntimeException error) {
    for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
      Matcher status = STATUS_OF_PROXY.matcher(String.valueOf(cause.getMessage()));
      if (isOfProxy(cause) && status.find()) return Integer.parseInt(status.group(1));
    }
    return 0;
  }

  private static boolean isOfProxy(Throwable cause) {
    // Netty's classes are in a package that grpc has renamed.
    return cause instanceof ConnectException && cause.getClass().getSimpleName().endsWith("ProxyConnectException");
  }

  /** Whether a failure does not pass by itself: a certificate that is not trusted, another server than Lookout, or a proxy that refuses. */
  static boolean isLasting(String code, StatusRuntimeException error) {
    String text = error.getStatus().getDescription();
    boolean isOther = text != null && isOtherServer(text) || refusalOfProxy(error) > 0;
    return code.equals(LookoutException.BAD_ANSWER) && isOther || untrusted(error) != null;
  }

  /** Whether the answer is of a server that is no gRPC server. */
  static boolean isOtherServer(String text) {
    return text.contains("HTTP status code") || text.contains("content-type") || text.contains("was not SETTINGS");
  }

  private static String firstLine(String text) {
    String line = text.replaceFirst("HTTP status code (\\d+)\\ninvalid content-type: ([^\\n]*)", "status $1, $2").split("\n", 2)[0];
    return line.length() > MOST_LETTERS ? line.substring(0, MOST_LETTERS) + "…" : line;
  }
}
