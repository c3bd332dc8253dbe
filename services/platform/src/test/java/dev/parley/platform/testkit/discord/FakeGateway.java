package dev.parley.platform.testkit.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.testkit.discord.NettyServer.Socket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Discord's gateway for one bot: one session, whose events are kept so that it can be resumed. */
public final class FakeGateway {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String token;
    private final String botId;
    private final String url;
    private final List<String> events = new ArrayList<>();
    private final List<JsonNode> received = new ArrayList<>();
    private @Nullable String session;
    private @Nullable Socket online;
    private int interval = 1_000;
    private boolean answersHeartbeats = true;
    private int refuses;
    /** The sequence number of the last heartbeat. */
    private long heartbeatSequence;

    private int heartbeats;

    FakeGateway(String token, String botId, String url) {
        this.token = token;
        this.botId = botId;
        this.url = url;
    }

    // ---- control by tests

    /** Milliseconds between heartbeats, for connections opened from now on. */
    public synchronized void interval(int millis) {
        interval = millis;
    }

    /** Breaks the connection; its session can be resumed. */
    public synchronized void cut() {
        if (online != null) {
            online.cut();
            online = null;
        }
    }

    /** Closes the connection with a code. */
    public synchronized void close(int code) {
        if (online != null) {
            online.close(code);
            online = null;
        }
    }

    /** Discards the session, which cannot be resumed any more. */
    public synchronized void forgetSession() {
        session = null;
        events.clear();
    }

    /** Requests the bot to reconnect. */
    public synchronized void reconnect() {
        send(JSON.createObjectNode().put("op", 7));
    }

    /** Sets whether heartbeats are acknowledged. */
    public synchronized void answersHeartbeats(boolean answers) {
        answersHeartbeats = answers;
    }

    /** Answers Identify with this close code; 0 accepts it. */
    public synchronized void refuses(int code) {
        refuses = code;
    }

    public synchronized boolean isOnline() {
        return online != null;
    }

    /** The number of heartbeats, and the sequence number of the last one. */
    public synchronized long[] heartbeats() {
        return new long[] {heartbeats, heartbeatSequence};
    }

    /** The sequence number of the last event. */
    public synchronized long last() {
        return events.size();
    }

    /** The received messages with this opcode, in order. */
    public synchronized List<JsonNode> said(int op) {
        return received.stream()
                .filter(message -> message.path("op").asInt() == op)
                .toList();
    }

    // ---- protocol

    synchronized void opened(Socket socket) {
        ObjectNode hello = JSON.createObjectNode().put("op", 10);
        hello.putObject("d").put("heartbeat_interval", interval);
        socket.send(hello.toString());
    }

    synchronized void says(Socket socket, String text) {
        JsonNode json;
        try {
            json = JSON.readTree(text);
        } catch (IOException e) {
            socket.close(4002);
            return;
        }
        received.add(json);
        JsonNode data = json.path("d");
        switch (json.path("op").asInt()) {
            case 1 -> {
                heartbeats++;
                heartbeatSequence = data.asLong();
                if (answersHeartbeats) {
                    socket.send(JSON.createObjectNode().put("op", 11).toString());
                }
            }
            case 2 -> identify(socket, data);
            case 6 -> resume(socket, data);
            default -> socket.close(4001);
        }
    }

    private void identify(Socket socket, JsonNode data) {
        if (!data.path("token").asText().equals(token)) {
            socket.close(4004);
            return;
        }
        if (refuses != 0) {
            socket.close(refuses);
            return;
        }
        session = UUID.randomUUID().toString();
        events.clear();
        online = socket;
        ObjectNode ready =
                JSON.createObjectNode().put("v", 10).put("session_id", session).put("resume_gateway_url", url);
        ready.putObject("user").put("id", botId).put("username", "parley").put("bot", true);
        ready.putObject("application").put("id", botId);
        ready.putArray("guilds");
        dispatch("READY", ready);
    }

    private void resume(Socket socket, JsonNode data) {
        if (!data.path("token").asText().equals(token)
                || !data.path("session_id").asText().equals(session)) {
            socket.send(JSON.createObjectNode().put("op", 9).put("d", false).toString());
            return;
        }
        online = socket;
        for (String event : events.subList(data.path("seq").asInt(), events.size())) {
            socket.send(event);
        }
        dispatch("RESUMED", JSON.createObjectNode());
    }

    /** Sends an event; without a connection it is kept for the client that resumes. */
    synchronized void dispatch(String type, JsonNode data) {
        if (session == null) {
            return;
        }
        ObjectNode event =
                JSON.createObjectNode().put("op", 0).put("s", events.size() + 1).put("t", type);
        event.set("d", data);
        events.add(event.toString());
        send(event);
    }

    private void send(ObjectNode payload) {
        if (online != null) {
            online.send(payload.toString());
        }
    }
}
