package dev.lookout;

import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/** Notes whether a call has left on a connection. If not, nothing answers; if so, it may have been carried out. */
final class SentTracer extends ClientStreamTracer.Factory {
  private volatile boolean isSent;

  boolean isSent() {
    return isSent;
  }

  @Override
  public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
    return new ClientStreamTracer() {
      @Override
      public void streamCreated(Attributes transport, Metadata sent) {
        isSent = true;
      }
    };
  }
}
