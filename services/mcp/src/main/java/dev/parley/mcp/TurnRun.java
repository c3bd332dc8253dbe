package dev.parley.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.Ids;
import dev.parley.mcp.TurnEventStream.Event;
import dev.parley.platform.api.ApiAnswer;
import dev.parley.platform.api.ApiRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * Submits a turn and waits until it ends, waits for a person, or the wait time is over. Progress is reported at least
 * every ten seconds, as clients time out after a minute without a message.
 */
final class TurnRun {
    /** The maximum of {@code wait_seconds}. */
    static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    /** The default; clients without progress time out after a minute. */
    static final Duration USUAL_WAIT = Duration.ofSeconds(45);

    /** The default with progress. */
    static final Duration PATIENT_WAIT = Duration.ofMinutes(5);

    static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(10);

    /** The wait time of the first request; most turns end within it. */
    private static final Duration FIRST_WAIT = Duration.ofMillis(1_500);
    /** The maximum lag of the tables behind the events. */
    private static final Duration VIEW_LAG = Duration.ofSeconds(5);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final Duration ANSWER_LAG = Duration.ofMillis(500);

    private final McpToolCall call;
    private final String project;
    private final String session;
    private final long started = System.nanoTime();
    private final long end;
    private final Duration progressInterval;

    private TurnRun(McpToolCall call, String session, Duration timeout, Duration progressInterval) {
        this.progressInterval = progressInterval;
        this.call = call;
        this.project = call.inProject();
        this.session = session;
        this.end = started + timeout.toNanos();
    }

    /** Submits a turn and waits. */
    static ToolResult ask(McpToolCall call) throws InterruptedException {
        return ask(call, PROGRESS_INTERVAL);
    }

    /** @param progressInterval the maximum time between progress messages */
    static ToolResult ask(McpToolCall call, Duration progressInterval) throws InterruptedException {
        McpArguments arguments = call.arguments();
        String reference = call.reference();
        String session = arguments.or("session", "mcp:" + Ids.of("mcp", call.user(), call.inProject(), reference));
        Duration timeout = arguments.seconds("wait_seconds", call.progress().isReported() ? PATIENT_WAIT : USUAL_WAIT);
        ApiRequest submit = ApiRequest.post("/v1/projects/{}/sessions/{}/turns", call.inProject(), session)
                .body(arguments.body("text", "agent"))
                .once(reference)
                .waiting(timeout.compareTo(FIRST_WAIT) < 0 ? timeout : FIRST_WAIT);
        call.progress().report("The agent is asked.");
        return new TurnRun(call, session, timeout, progressInterval)
                .awaitResult(call.api().send(submit), reference);
    }

    /** Returns a turn, after waiting for {@code wait_seconds}. */
    static ToolResult show(McpToolCall call) throws InterruptedException {
        McpArguments arguments = call.arguments();
        var work = new TurnRun(
                call, arguments.text("session"), arguments.seconds("wait_seconds", Duration.ZERO), PROGRESS_INTERVAL);
        return work.follow(arguments.text("turn"));
    }

    private ToolResult awaitResult(ApiAnswer submitted, String reference) throws InterruptedException {
        if (!submitted.isDone()) {
            return new ToolResult.Failed(
                    submitted.status() >= 500
                            ? submitted.problem() + " The idempotency_key of this call is '" + reference + "'."
                            : submitted.problem());
        }
        ObjectNode turn = submitted.object().orElseGet(McpJson::object);
        return isOver(turn)
                ? TurnToolResult.of(project, turn)
                : follow(turn.path("id").asText());
    }

    private static boolean isOver(ObjectNode turn) {
        return TurnToolResult.isEnd(turn.path("state").asText());
    }

    private ApiRequest turnRequest(String turn) {
        return ApiRequest.get("/v1/projects/{}/sessions/{}/turns/{}", project, session, turn);
    }

    private ToolResult follow(String turn) throws InterruptedException {
        ApiAnswer first = call.api().send(turnRequest(turn));
        Optional<ToolResult> result = result(first, false);
        if (result.isPresent()) {
            return result.get();
        }
        if (timeLeft().isZero()) {
            return open(first);
        }
        ApiRequest watch = ApiRequest.get("/v1/projects/{}/sessions/{}/events", project, session)
                .with("turn", turn);
        try (var events = TurnEventStream.of(call.api().stream(watch))) {
            return watch(turn, events);
        }
    }

    private ToolResult watch(String turn, TurnEventStream events) throws InterruptedException {
        ApiAnswer now = call.api().send(turnRequest(turn)); // covers the events before the start of the stream
        Optional<ToolResult> result = result(now, false);
        while (result.isEmpty() && !timeLeft().isZero()) {
            Optional<Event> event = next(events);
            if (event.isPresent()) {
                report(event.get());
            } else {
                call.progress().report("The agent has worked for %d s.".formatted(seconds()));
            }
            boolean changed = event.map(received -> received.isEnd() || received.isQuestion())
                    .orElse(true);
            if (changed) {
                now = event.filter(Event::isEnd).isPresent()
                        ? awaitEnd(turn)
                        : call.api().send(turnRequest(turn));
                result = result(now, event.filter(Event::isQuestion).isPresent());
            }
        }
        return result.isPresent() ? result.get() : open(now);
    }

    /** The next event. Without a stream the turn is polled every second. */
    private Optional<Event> next(TurnEventStream events) throws InterruptedException {
        if (events.isOver()) {
            Thread.sleep(shorter(timeLeft(), Duration.ofSeconds(1)));
            return Optional.empty();
        }
        return events.next(shorter(timeLeft(), progressInterval));
    }

    private void report(Event event) throws InterruptedException {
        String message = switch (event.kind()) {
            case "tool_call" -> "It uses the tool " + event.tool() + ".";
            case "approval" -> "It waits for a person: may it use " + event.tool() + "?";
            case "retry" -> "The model is asked again.";
            case "progress" -> event.text();
            default -> "";
        };
        if (!message.isBlank()) {
            call.progress().report(message);
        }
    }

    /** A turn after its end event, as soon as the tables show the end. */
    private ApiAnswer awaitEnd(String turn) throws InterruptedException {
        long deadline = System.nanoTime() + VIEW_LAG.toNanos();
        ApiAnswer now = call.api().send(turnRequest(turn));
        while (System.nanoTime() < deadline
                && now.isDone()
                && !now.object().map(TurnRun::isOver).orElse(true)) {
            Thread.sleep(POLL_INTERVAL);
            now = call.api().send(turnRequest(turn));
        }
        return now;
    }

    /**
     * The result for the caller; empty while the turn runs.
     *
     * @param approvalRequested whether an approval was requested just now
     */
    private Optional<ToolResult> result(ApiAnswer answer, boolean approvalRequested) throws InterruptedException {
        if (!answer.isDone()) {
            return Optional.of(new ToolResult.Failed(answer.problem()));
        }
        ObjectNode turn = answer.object().orElseGet(McpJson::object);
        if (isOver(turn)) {
            return Optional.of(TurnToolResult.of(project, turn));
        }
        String id = turn.path("id").asText();
        if (approvalRequested) {
            return Optional.of(TurnToolResult.waiting(project, turn, questions(id, VIEW_LAG)));
        }
        if (!turn.path("state").asText().equals(TurnToolResult.WAITING)) {
            return Optional.empty();
        }
        Thread.sleep(ANSWER_LAG); // the tables may lag behind an answer
        ObjectNode latest = call.api().send(turnRequest(id)).object().orElse(turn);
        return latest.path("state").asText().equals(TurnToolResult.WAITING)
                ? Optional.of(TurnToolResult.waiting(project, latest, questions(id, Duration.ZERO)))
                : isOver(latest) ? Optional.of(TurnToolResult.of(project, latest)) : Optional.empty();
    }

    /** The open approvals of the turn. */
    private ObjectNode questions(String turn, Duration timeout) throws InterruptedException {
        ApiRequest list = ApiRequest.get("/v1/projects/{}/approvals", project)
                .with("session", session)
                .with("limit", 20);
        long deadline = System.nanoTime() + timeout.toNanos();
        ObjectNode open = TurnToolResult.questions(call.api().send(list).object(), turn);
        while (open.path("data").isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(POLL_INTERVAL);
            open = TurnToolResult.questions(call.api().send(list).object(), turn);
        }
        return open;
    }

    private ToolResult open(ApiAnswer answer) {
        return TurnToolResult.open(project, answer.object().orElseGet(McpJson::object));
    }

    private Duration timeLeft() {
        long remaining = end - System.nanoTime();
        return remaining <= 0 ? Duration.ZERO : Duration.ofNanos(remaining);
    }

    private long seconds() {
        return Duration.ofNanos(System.nanoTime() - started).toSeconds();
    }

    private static Duration shorter(Duration first, Duration second) {
        return first.compareTo(second) < 0 ? first : second;
    }
}
