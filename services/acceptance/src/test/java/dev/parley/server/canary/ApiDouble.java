package dev.parley.server.canary;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.parley.server.LocalServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server with one fault, and as much of the API as the canary needs. */
final class ApiDouble implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Kinds of faults. */
    enum Fault {
        NONE,
        /** Accepts a message, and breaks the connection instead of answering. */
        BREAKS_AFTER_ACCEPTING,
        /** Is unreachable for a moment. */
        BUSY_AT_FIRST,
        /** Ends event streams before the turn ends. */
        CUTS_STREAMS,
        /** Never answers the first message. */
        LOSES,
        /** Answers with the reply to another message. */
        MIXES_UP,
        /** Shows two replies. */
        REPLIES_TWICE,
        /** Creates another turn for a repeated message. */
        FORGETS_KEYS,
        /** Creates two turns for a message, and answers as if there were one. */
        RUNS_TWICE,
        /** Fails turns. */
        FAILS,
        /** Refuses messages. */
        REFUSES
    }

    private record Turn(String id, String text) {}

    private final LocalServer server = LocalServer.start().handle("/", this::answer);
    private final Fault fault;
    private final AtomicInteger posts = new AtomicInteger();
    private final AtomicInteger streams = new AtomicInteger();
    private final Map<String, Turn> byKey = new ConcurrentHashMap<>();
    private final Map<String, List<Turn>> sessions = new ConcurrentHashMap<>();

    /** Erased sessions, by path. */
    final List<String> erased = new CopyOnWriteArrayList<>();

    ApiDouble(Fault fault) {
        this.fault = fault;
    }

    String url() {
        return server.url();
    }

    /** The number of received messages, including repeated ones. */
    int posts() {
        return posts.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String[] steps = path.split("/");
            String session = steps.length > 3 ? steps[3] : "";
            if (exchange.getRequestMethod().equals("POST") && path.endsWith("/turns")) {
                post(exchange, session);
            } else if (path.endsWith("/erase")) {
                erased.add(session);
                LocalServer.respond(exchange, 202, "{}");
            } else if (path.endsWith("/events")) {
                events(exchange);
            } else if (path.endsWith("/messages")) {
                LocalServer.respond(exchange, 200, messages(session));
            } else if (path.endsWith("/turns")) {
                LocalServer.respond(exchange, 200, list(turns(session)));
            } else if (path.contains("/turns/")) {
                LocalServer.respond(exchange, 200, turn(find(steps[5])).toString());
            } else {
                LocalServer.respond(exchange, 200, "{\"data\":[],\"next\":null}");
            }
        }
    }

    private void post(HttpExchange exchange, String session) throws IOException {
        int number = posts.incrementAndGet();
        if (fault == Fault.REFUSES) {
            LocalServer.respond(exchange, 403, "{\"detail\":\"The role does not allow it\"}");
            return;
        }
        if (fault == Fault.BUSY_AT_FIRST && number <= 2) {
            LocalServer.respond(exchange, 503, "{\"detail\":\"Kafka cannot be reached\"}");
            return;
        }
        String text = JSON.readTree(exchange.getRequestBody()).path("text").asText();
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        var turn = new Turn(UUID.randomUUID().toString(), text);
        boolean isNew = byKey.putIfAbsent(key, turn) == null;
        if (isNew || fault == Fault.FORGETS_KEYS) {
            byKey.put(key, turn);
            List<Turn> turns = sessions.computeIfAbsent(session, _ -> new CopyOnWriteArrayList<>());
            turns.add(turn);
            if (fault == Fault.RUNS_TWICE) {
                turns.add(new Turn(UUID.randomUUID().toString(), text));
            }
        }
        if (fault == Fault.BREAKS_AFTER_ACCEPTING && number == 1) {
            return; // the exchange is closed without an answer
        }
        LocalServer.respond(exchange, 200, turn(byKey.get(key)).toString());
    }

    private void events(HttpExchange exchange) throws IOException {
        boolean cut = fault == Fault.CUTS_STREAMS && streams.incrementAndGet() % 2 == 1;
        boolean lost = fault == Fault.LOSES;
        LocalServer.respond(
                exchange,
                200,
                "event: started\nid: 0.1\ndata: {}\n\n" + (cut || lost ? "" : "event: done\nid: 0.2\ndata: {}\n\n"));
    }

    private Turn find(String id) {
        return sessions.values().stream()
                .flatMap(List::stream)
                .filter(turn -> turn.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private ObjectNode turn(Turn turn) {
        String state = fault == Fault.LOSES ? "RUNNING_MODEL" : fault == Fault.FAILS ? "FAILED" : "COMPLETED";
        ObjectNode json =
                JSON.createObjectNode().put("id", turn.id()).put("state", state).put("text", turn.text());
        json.put("reply", reply(turn)).putObject("error").put("message", "the model failed");
        return json;
    }

    private String reply(Turn turn) {
        return fault == Fault.MIXES_UP ? "canary-0123456789abcdef" : turn.text().replace("!say ", "");
    }

    private ArrayNode turns(String session) {
        ArrayNode rows = JSON.createArrayNode();
        sessions.getOrDefault(session, List.of()).forEach(turn -> rows.add(turn(turn)));
        return rows;
    }

    private String messages(String session) {
        ArrayNode messages = JSON.createArrayNode();
        for (Turn turn : sessions.getOrDefault(session, List.of())) {
            messages.add(message(turn, "user", turn.text(), null));
            messages.add(message(turn, "assistant", "I look it up", "tool-calls"));
            messages.add(message(turn, "assistant", reply(turn), "stop"));
            if (fault == Fault.REPLIES_TWICE) {
                messages.add(message(turn, "assistant", reply(turn), "stop"));
            }
        }
        return list(messages);
    }

    private static ObjectNode message(Turn turn, String role, String text, String finish) {
        ObjectNode json =
                JSON.createObjectNode().put("turn", turn.id()).put("role", role).put("finishReason", finish);
        json.putArray("parts").addObject().put("kind", "text").put("text", text);
        return json;
    }

    private static String list(ArrayNode rows) {
        ObjectNode list = JSON.createObjectNode();
        list.set("data", rows);
        return list.putNull("next").toString();
    }

    @Override
    public void close() {
        server.close();
    }
}
