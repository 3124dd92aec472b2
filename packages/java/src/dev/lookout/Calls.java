package dev.lookout;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/** Makes calls with the key and the timeout, and turns their errors into LookoutExceptions. */
final class Calls {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Channel channel;
  private final String address;
  private final Duration timeout;

  Calls(Channel channel, String address, String apiKey, Duration timeout) {
    Metadata headers = new Metadata();
    if (apiKey != null) headers.put(AUTHORIZATION, "Bearer " + apiKey);
    this.channel = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    this.address = address;
    this.timeout = timeout;
  }

  static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      String name, MethodDescriptor.MethodType type, Q request, A answer) {
    return MethodDescriptor.newBuilder(ProtoUtils.marshaller(request), ProtoUtils.marshaller(answer))
        .setType(type)
        .setFullMethodName(name)
        .build();
  }

  <Q, A> A unary(MethodDescriptor<Q, A> method, Q request) {
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    try {
      return ClientCalls.blockingUnaryCall(channel, method, options, request);
    } catch (StatusRuntimeException error) {
      throw LookoutException.of(error, address);
    }
  }

  <Q, A> LookoutStream<A> stream(MethodDescriptor<Q, A> method, Q request) {
    Context.CancellableContext context = Context.current().withCancellation();
    Context before = context.attach();
    try {
      Iterator<A> messages =
          ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, request);
      return new LookoutStream<>(messages, context, address, timeout);
    } finally {
      context.detach(before);
    }
  }
}
