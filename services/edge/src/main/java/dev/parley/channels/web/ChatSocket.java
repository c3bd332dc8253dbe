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

/** WebSocket endpoint: one connection for many sessions, see {@link SocketConnection}. */
@Authenticated
@ServerWebSocket("/v1/ws")
@Requires(property = "parley.role.channels", value = "true")
final class ChatSocket {
    private static final Logger LOG = LoggerFactory.getLogger(ChatSocket.class);
    /** Maximum size of a message in bytes, over all its frames. */
    static final int MAX_MESSAGE = 2 << 20;

    private static final int MAX_CONNECTIONS = 5_000;

    private final VisibilityChecks checks;
    private final DeltaHub hub;
    private final TurnSubmitter turns;
    private final CallerCommands commands;
    private final ObjectMapper mapper;
    private final Map<String, SocketConnection> connections = new ConcurrentHashMap<>();

    ChatSocket(
            VisibilityChecks checks, DeltaHub hub, TurnSubmitter turns, CallerCommands commands, ObjectMapper mapper) {
        this.checks = checks;
        this.hub = hub;
        this.turns = turns;
        this.commands = commands;
        this.mapper = mapper;
    }

    /** A client connected and was authenticated. */
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

    /** A frame. Frames are joined here, because Micronaut would join them without a limit. */
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

    /** A client disconnected. */
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
