package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import dev.parley.domain.definition.ToolEffect;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Records the calls of turns outside of the processes that are killed: a model provider (OpenAI's Responses API) and an
 * HTTP API with two tools. For the message {@code answer 7} the model calls both tools, and then replies
 * {@code answer 7}.
 */
final class CallLedger implements AutoCloseable {
    /** The tool that may be called again. */
    static final String AGAIN = "again";

    /** The tool that must not be called again. */
    static final String ONCE = "once";

    /** The first call of the model in a turn. */
    static final String ASKS = "model-1";

    /** The second call of the model, which ends the turn. */
    static final String ENDS = "model-2";

    private static final Duration TAKES = Duration.ofMillis(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TURN = Pattern.compile("answer [\\w-]+");

    private final LocalServer server;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final Map<String, Held> held = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * A received call.
     *
     * @param name the tool, or the model call
     * @param turn the text of the user message
     */
    record Call(String name, String turn, Instant at) {}

    /** A call that is not answered before it is released. */
    static final class Held {
        private final CompletableFuture<Void> reached = new CompletableFuture<>();
        private final CountDownLatch goesOn = new CountDownLatch(1);

        /** Waits until the call has been received. */
        void awaitCall(Duration timeout) {
            reached.orTimeout(timeout.toSeconds(), TimeUnit.SECONDS).join();
        }

        void letGo() {
            goesOn.countDown();
        }
    }

    CallLedger() {
        server = LocalServer.start()
                .handle("/v1/", exchange -> answer(exchange, "text/event-stream", this::model))
                .handle("/tools/", exchange -> answer(exchange, "application/json", this::tool));
    }

    private String url() {
        return server.url();
    }

    /** The settings of a process that uses the ledger; {@code key} is a file with any key. */
    String settings(Path key) {
        return """
            model: openai/gpt-5
            providers:
              openai: { baseUrl: "%s/v1", apiKey: "file:%s" }
            tools: { allowedHosts: [{ host: 127.0.0.1, hosts: [default], projects: ["*"] }] }
            permissions:
              - { tool: again, action: allow }
              - { tool: once, action: allow }
            """.formatted(url(), key);
    }

    /** Defines the two tools. */
    void define(Api api) {
        define(api, AGAIN, ToolEffect.IDEMPOTENT);
        define(api, ONCE, ToolEffect.AT_MOST_ONCE);
    }

    private void define(Api api, String name, ToolEffect effect) {
        Api.Answer answer = api.post(
                "/v1/tools",
                Map.of(
                        "name",
                        name,
                        "description",
                        "Does something outside.",
                        "type",
                        "rest",
                        "effect",
                        effect.name().toLowerCase(Locale.ROOT),
                        "timeout",
                        "60s",
                        "parameters",
                        List.of(Map.of("name", "turn", "type", "string", "required", true)),
                        "implementation",
                        Map.of("url", url() + "/tools/" + name, "method", "POST")));
        if (answer.status() != 201) {
            throw new AssertionError(answer.text());
        }
    }

    /** Holds the next such call of a turn: it is recorded, but not answered yet. */
    Held hold(String name, String turn) {
        return held.computeIfAbsent(name + " of " + turn, _ -> new Held());
    }

    /** All received calls, in order. */
    List<Call> calls() {
        return List.copyOf(calls);
    }

    long count(String name, String turn) {
        return calls.stream()
                .filter(call -> call.name().equals(name) && call.turn().equals(turn))
                .count();
    }

    /** The number of repeated calls of those kinds, by turn; turns without any are omitted. */
    Map<String, Long> doubled(Predicate<String> kind) {
        Map<String, Map<String, Long>> counts = calls.stream()
                .filter(call -> kind.test(call.name()))
                .collect(Collectors.groupingBy(Call::turn, Collectors.groupingBy(Call::name, Collectors.counting())));
        return counts.entrySet().stream()
                .map(turn -> Map.entry(
                        turn.getKey(),
                        turn.getValue().values().stream()
                                .mapToLong(count -> count - 1)
                                .sum()))
                .filter(turn -> turn.getValue() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @FunctionalInterface
    private interface Handler {
        /** The body of the answer. */
        String handle(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private static void answer(HttpExchange exchange, String type, Handler handler) throws IOException {
        try (exchange) {
            LocalServer.respond(exchange, type, handler.handle(exchange));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Records a call; returns when it is to be answered. */
    private void enter(String name, String turn) throws InterruptedException {
        calls.add(new Call(name, turn, Instant.now()));
        Held hold = held.remove(name + " of " + turn);
        if (hold != null) {
            hold.reached.complete(null);
            hold.goesOn.await();
        }
        closed.await(TAKES.toMillis(), TimeUnit.MILLISECONDS); // not a wait for something: a call takes time
    }

    private String tool(HttpExchange exchange) throws IOException, InterruptedException {
        String name = exchange.getRequestURI().getPath().substring("/tools/".length());
        String turn = JSON.readTree(exchange.getRequestBody()).path("turn").asText();
        enter(name, turn);
        return "{\"done\":true}";
    }

    private String model(HttpExchange exchange) throws IOException, InterruptedException {
        JsonNode input = JSON.readTree(exchange.getRequestBody()).path("input");
        String turn = "";
        boolean worked = false;
        for (JsonNode item : input) {
            if (item.path("role").asText().equals("user")) {
                turn = TURN.matcher(item.toString())
                        .results()
                        .map(MatchResult::group)
                        .reduce(turn, (_, last) -> last);
                worked = false;
            }
            worked |= item.path("type").asText().equals("function_call_output");
        }
        enter(worked ? ENDS : ASKS, turn);
        return worked
                ? Responses.stream(Responses.message(turn))
                : Responses.stream(call(AGAIN, turn), call(ONCE, turn));
    }

    private static String call(String tool, String turn) {
        return Responses.call(
                "call_" + tool + "_" + turn.replace(' ', '_'),
                tool,
                JSON.createObjectNode().put("turn", turn).toString());
    }

    @Override
    public void close() {
        closed.countDown();
        held.values().forEach(Held::letGo);
        server.close();
    }
}
