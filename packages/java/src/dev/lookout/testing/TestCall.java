package dev.lookout.testing;

import com.google.protobuf.Message;

/**
 * A call that was made.
 *
 * @param name such as {@code links.createLink}
 * @param request as it would have been sent, with what the client adds, such as ids of events
 */
public record TestCall(String name, Message request) {}
