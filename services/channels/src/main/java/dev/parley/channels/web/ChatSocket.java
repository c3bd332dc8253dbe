package dev.parley.channels.web;

import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.serde.ObjectMapper;
import io.micronaut.websocket.CloseReason;
import io.micronaut.websocket.WebSocketSession;
import io.micronaut.websocket.annotation.OnClose;
import io.micronaut.websocket.annotation.OnError;
import io.micronaut.websocket.annotation.OnMessage;
import io.micronaut.websocket.annotation.OnOpen;
import io.micronaut.websocket.annotation.ServerWebSocket;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import jakarta.annotation.PreDestroy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sessions over a WebSocket: one connection, many sessions. What a connection does stands in {@link SocketConnection}. */
@Authenticated
@ServerWebSocket("/v1/ws")
@Requires(property = "parley.role.channels", value = "true")
final class ChatSocket {
    private static final Logger LOG = LoggerFactory.getLogger(ChatSocket.class);
    /** The most bytes of a message, in however many frames it comes. */
    static final int MAX_MESSAGE = 2 << 20;

    private static final int MAX_CONNECTIONS = 5_000;

    private final VisibilityChecks checks;
    private final DeltaHub hub;
    private final TurnSubmitter turns;
    private final Commands commands;
    private final ObjectMapper mapper;
    private final Map<String, SocketConnection> connections = new ConcurrentHashMap<>();

    ChatSocket(VisibilityChecks checks, DeltaHub hub, TurnSubmitter turns, Commands commands, ObjectMapper mapper) {
        this.checks = checks;
        this.hub = hub;
        this.turns = turns;
        this.commands = commands;
        this.mapper = mapper;
    }

    /** A client has connected; the filter has let it in. */
    @OnOpen
    void open(WebSocketSession session, HttpRequest<?> request) {
        var caller = Caller.of(request);
        if (caller.isEmpty()) {
            session.close(new CloseReason(4401, "unauthorized"));
        } else if (connections.size() >= MAX_CONNECTIONS) {
            session.close(CloseReason.TRY_AGAIN_LATER);
        } else {
            connections.put(
                    session.getId(), new SocketConnection(session, caller.get(), checks, hub, turns, commands, mapper));
        }
    }

    /** A client says something, or a part of it: Micronaut would join the parts of a message however long it gets. */
    @OnMessage(maxPayloadLength = MAX_MESSAGE)
    void message(WebSocketFrame frame, WebSocketSession session) {
        try {
            SocketConnection connection = connections.get(session.getId());
            if (connection != null) {
                connection.take(frame.content(), frame.isFinalFragment());
            }
        } finally {
            frame.release();
        }
    }

    /** A client is gone. */
    @OnClose
    void close(WebSocketSession session) {
        SocketConnection connection = connections.remove(session.getId());
        if (connection != null) {
            connection.close();
        }
    }

    /** The connection broke, or a frame was too large. */
    @OnError
    void error(WebSocketSession session, Throwable cause) {
        LOG.atDebug().setCause(cause).log("WebSocket closed by an error");
        session.close(cause instanceof TooLongFrameException ? CloseReason.MESSAGE_TO_BIG : CloseReason.INTERNAL_ERROR);
    }

    @PreDestroy
    void stop() {
        connections.values().forEach(SocketConnection::close);
    }
}
