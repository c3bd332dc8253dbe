package dev.parley.channels.protocols;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.http.EventStream;

/** Consumer of the events of a stream. */
public interface EventSink {
    /** Sends an event. */
    void event(ObjectNode event) throws InterruptedException;

    /** Sends a heartbeat. */
    void comment() throws InterruptedException;

    /** Sends events as server-sent events without names. */
    static EventSink of(EventStream.Sink sink) {
        return new EventSink() {
            @Override
            public void event(ObjectNode event) throws InterruptedException {
                sink.data(ProtocolJson.bytes(event));
            }

            @Override
            public void comment() throws InterruptedException {
                sink.heartbeat();
            }
        };
    }
}
