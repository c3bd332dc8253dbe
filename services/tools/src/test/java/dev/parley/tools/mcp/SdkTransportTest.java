package dev.parley.tools.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server that sends requests. */
class SdkTransportTest {
    /** A connection whose other side is the test. */
    private static final class Loopback implements McpTransport {
        private Listener listener;

        @Override
        public void open(Listener opened) {
            listener = opened;
        }

        @Override
        public void send(Outgoing message) {}

        @Override
        public boolean answersAtOnce() {
            return false;
        }

        @Override
        public void abort(Object id) {}

        @Override
        public void close() {}
    }

    @Test
    void answersThatCannotBeSentLeaveRoomForOthers() throws IOException {
        // Given
        var server = new Loopback();
        var transport = new SdkTransport(server, () -> {}, () -> {});
        var handled = new AtomicInteger();
        transport
                .connect(received -> received.flatMap(request -> {
                            handled.incrementAndGet();
                            return transport
                                    .sendMessage(JSONRPCResponse.result(1, Map.of()))
                                    .thenReturn(request);
                        })
                        .onErrorComplete())
                .block();
        transport.close();

        // When
        for (int i = 1; i <= 20; i++) {
            server.listener.onMessage("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}".formatted(i));
        }

        // Then
        assertEquals(20, handled.get());
    }
}
