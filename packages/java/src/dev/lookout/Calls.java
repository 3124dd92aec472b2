package dev.lookout;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Makes calls with the key and the timeout, and turns their errors into LookoutExceptions. */
final class Calls {
  final Channel channel;
  final int maxRetries;
  private final String address;
  private final String apiKey;
  private final Duration timeout;
  private final Set<LookoutStream<?>> streams = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private volatile boolean isClosed;

  Calls(Channel channel, String address, String apiKey, Duration timeout, int maxRetries) {
    this.channel = channel;
    this.address = address;
    this.apiKey = apiKey;
    this.timeout = timeout;
    this.maxRetries = maxRetries;
  }

  static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      String name, MethodDescriptor.MethodType type, Q request, A answer) {
    return MethodDescriptor.newBuilder(ProtoUtils.marshaller(request), ProtoUtils.marshaller(answer))
        .setType(type)
        .setFullMethodName(name)
        .build();
  }

  /** @throws IllegalArgumentException if it is null, with its name */
  static <T> T given(T value, String name) {
    if (value == null) throw new IllegalArgumentException(name + " is null");
    return value;
  }

  /** A builder that the caller has filled in. */
  static <B> B filled(B builder, Consumer<? super B> fill) {
    given(fill, "what fills the request");
    fill.accept(builder);
    return builder;
  }

  <Q, A> A unary(MethodDescriptor<Q, A> method, Repeats repeats, Q request, RequestOptions options) {
    CompletableFuture<A> answer = async(method, repeats, request, options);
    try {
      return answer.get();
    } catch (InterruptedException interrupted) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw LookoutException.cancelled("The thread was interrupted", interrupted);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof LookoutException failure) throw failure.thrownHere();
      if (failed.getCause() instanceof RuntimeException error) throw error;
      throw new IllegalStateException(failed.getCause());
    }
  }

  <Q, A> CompletableFuture<A> async(MethodDescriptor<Q, A> method, Repeats repeats, Q request, RequestOptions options) {
    JsonNumbers.check((Message) request, "");
    return new Attempts<>(this, method, repeats, request, options).start();
  }

  <Q, A> LookoutStream<A> stream(MethodDescriptor<Q, A> method, Q request, RequestOptions options) {
    JsonNumbers.check((Message) request, "");
    Q kept = WatchSigns.asked(request);
    boolean isWatch = isWatch(method);
    Duration mostQuiet = isWatch ? WatchSigns.mostQuiet(kept) : timeout(options);
    LookoutStream<A> stream = new LookoutStream<>(this, tracer -> open(method, kept, options, tracer), options, isWatch, mostQuiet);
    streams.add(stream);
    return stream;
  }

  private <Q, A> Iterator<A> open(MethodDescriptor<Q, A> method, Q request, RequestOptions options, SentTracer tracer) {
    Channel sending =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers(request, options, Repeats.NO)));
    return ClientCalls.blockingServerStreamingCall(sending, method, CallOptions.DEFAULT.withStreamTracerFactory(tracer), request);
  }

  /** A watch goes on after a failure, since each message is the whole answer. A file would begin again. */
  private static boolean isWatch(MethodDescriptor<?, ?> method) {
    return method.getBareMethodName().startsWith("Watch");
  }

  /** The answer of a call that deletes. */
  @SuppressWarnings("unchecked")
  static <A> A successOf(MethodDescriptor<?, A> method) {
    var marshaller = (MethodDescriptor.PrototypeMarshaller<A>) method.getResponseMarshaller();
    Message none = (Message) marshaller.getMessagePrototype();
    var success = none.getDescriptorForType().findFieldByName("success");
    return (A) none.newBuilderForType().setField(success, true).build();
  }

  Duration timeout(RequestOptions options) {
    return options.timeout() == null ? timeout : options.timeout();
  }

  /** All tries of a creating call have the same key, by which the service makes one object of them. */
  Metadata headers(Object request, RequestOptions options, Repeats repeats) {
    Metadata headers = new Metadata();
    options.headers().forEach((name, value) -> put(headers, name, value));
    if (apiKey != null) put(headers, "authorization", "Bearer " + apiKey);
    if (repeats == Repeats.WITH_KEY && !hasKey((Message) request)) {
      String key = options.idempotencyKey();
      put(headers, "idempotency-key", key == null ? UUID.randomUUID().toString() : key);
    }
    return headers;
  }

  private static boolean hasKey(Message request) {
    return request.hasField(request.getDescriptorForType().findFieldByName("idempotency_key"));
  }

  private static void put(Metadata headers, String name, String value) {
    headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
  }

  LookoutException failure(StatusRuntimeException error, boolean isSent) {
    return failure(error, isSent, "the call may have been carried out");
  }

  /** A stream reads, so that it does not matter how far the service got. */
  LookoutException streamFailure(StatusRuntimeException error, boolean isSent) {
    return failure(error, isSent, "the stream has ended");
  }

  private LookoutException failure(StatusRuntimeException error, boolean isSent, String ending) {
    if (isClosed) return LookoutException.cancelled("The client is closed", error);
    return LookoutException.of(error, address, isSent, ending);
  }

  boolean isClosed() {
    return isClosed;
  }

  LookoutException timedOut(StatusRuntimeException error) {
    return LookoutException.timeout(address, error);
  }

  /** Ends the streams. */
  void close() {
    isClosed = true;
    List<LookoutStream<?>> open;
    synchronized (streams) {
      open = List.copyOf(streams);
    }
    open.forEach(LookoutStream::close);
  }
}
