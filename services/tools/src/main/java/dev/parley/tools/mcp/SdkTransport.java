package dev.parley.tools.mcp;

import dev.parley.platform.json.JsonMappers;
import dev.parley.tools.mcp.McpTransport.Outgoing;
import dev.parley.tools.mcp.McpTransport.TransportException;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Adapts a transport to the MCP client of the SDK. Of the server's notifications only changed tools are handled, and
 * they trigger no request.
 */
final class SdkTransport implements McpClientTransport {
    /** The key of a call's id in the metadata of a request. */
    static final String CALL_ID = "dev.parley/callId";

    private static final int MAX_ANSWERS = 8;

    private static final McpJsonMapper JSON = new JacksonMcpJsonMapper(JsonMappers.mcp());

    private final McpTransport transport;
    private final Runnable toolsChanged;
    private final Runnable lost;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** The ids of pending requests. */
    private final Set<Object> open = ConcurrentHashMap.newKeySet();
    /** Bounds concurrent answers to requests of the server. */
    private final Semaphore answering = new Semaphore(MAX_ANSWERS);
    /** Request ids by call ids. */
    private final Map<Object, Object> calls = new ConcurrentHashMap<>();

    SdkTransport(McpTransport transport, Runnable toolsChanged, Runnable lost) {
        this.transport = transport;
        this.toolsChanged = toolsChanged;
        this.lost = lost;
    }

    @Override
    public List<String> protocolVersions() {
        return List.of(
                ProtocolVersions.MCP_2025_03_26, ProtocolVersions.MCP_2025_06_18, ProtocolVersions.MCP_2025_11_25);
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return Mono.fromCallable(() -> {
            transport.open(new McpTransport.Listener() {
                @Override
                public void onMessage(String text) throws IOException {
                    receive(text, handler);
                }

                @Override
                public void onLost(IOException cause) {
                    SdkTransport.this.lost.run();
                }
            });
            return null;
        });
    }

    private void receive(String text, Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) throws IOException {
        JSONRPCMessage message = message(text);
        switch (message) {
            case JSONRPCNotification news -> {
                if (news.method().equals(McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED)) {
                    toolsChanged.run();
                }
            }
            case JSONRPCResponse response -> {
                if (response.id() != null && open.remove(response.id())) {
                    handler.apply(Mono.just(response)).subscribe();
                }
            }
            default -> { // a request, which is rejected; excess ones are ignored
                if (answering.tryAcquire()) {
                    handler.apply(Mono.just(message)).subscribe();
                }
            }
        }
    }

    private JSONRPCMessage message(String text) throws TransportException {
        try {
            return McpSchema.deserializeJsonRpcMessage(JSON, text);
        } catch (IOException | RuntimeException e) {
            throw new TransportException("the server sent an invalid message"); // the SDK's exceptions quote it
        }
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.deferContextual(context -> {
            String version = context.getOrDefault(McpAsyncClient.NEGOTIATED_PROTOCOL_VERSION, null);
            return Mono.create(sink -> send(message, version, sink));
        });
    }

    private void send(JSONRPCMessage message, @Nullable String version, MonoSink<Void> sink) {
        Object id = message instanceof JSONRPCRequest request ? request.id() : null;
        if (id != null) {
            open.add(id);
        }
        if (message instanceof JSONRPCRequest request
                && request.params() instanceof CallToolRequest call
                && call.meta() != null) {
            calls.put(call.meta().getOrDefault(CALL_ID, ""), request.id());
        }
        try {
            threads.execute(() -> transmit(id, message, version, sink));
        } catch (RejectedExecutionException e) {
            fail(id, sink, new TransportException("the connection is closed"));
            release(message);
        }
    }

    private void transmit(@Nullable Object id, JSONRPCMessage message, @Nullable String version, MonoSink<Void> sink) {
        try {
            transport.send(new Outgoing(id, JSON.writeValueAsString(message), version));
            if (id != null && transport.answersAtOnce() && open.remove(id)) {
                throw new TransportException("the server's answer has no result");
            }
            sink.success();
        } catch (IOException | RuntimeException e) {
            fail(id, sink, e);
        } finally {
            release(message);
        }
    }

    private void fail(@Nullable Object id, MonoSink<Void> sink, Exception cause) {
        if (id != null) {
            open.remove(id);
        }
        sink.error(cause);
    }

    private void release(JSONRPCMessage message) {
        if (message instanceof JSONRPCResponse) {
            answering.release();
        }
    }

    /** Notifies the server that a call is cancelled. */
    void cancel(Object callId) {
        Object id = calls.remove(callId);
        if (id != null && open.remove(id)) {
            transport.abort(id);
            var params = Map.of("requestId", id, "reason", "cancelled");
            sendMessage(new JSONRPCNotification("notifications/cancelled", params))
                    .subscribe(_ -> {}, _ -> {});
        }
    }

    /** Forgets a call that has ended. */
    void forget(Object callId) {
        calls.remove(callId);
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return JSON.convertValue(data, type);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(this::close);
    }

    @Override
    public void close() {
        transport.close();
        threads.shutdownNow();
    }
}
