package dev.parley.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.client.Approval.Answer;
import dev.parley.client.ServerEvents.Event;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One project of a server. Requests that may be repeated are: up to six times while the server is away or busy, with
 * the same key, so that nothing is said twice. For any number of threads.
 *
 * <p>All methods throw {@link ParleyException} where the API refuses, {@link java.io.UncheckedIOException} where the
 * server does not answer, and {@link java.util.concurrent.CancellationException} where their thread is interrupted
 * while it waits.
 */
public final class ParleyClient {
    private static final String DEFAULT_PROJECT = "default";
    /** A turn that ended so long ago has told its last event, if it still can. */
    private static final Duration TOLD = Duration.ofSeconds(5);

    private final Requests requests;
    private final String project;

    /**
     * A client of the project {@code default}.
     *
     * @param server such as {@code http://127.0.0.1:8080}
     * @param key of the API, or the token of an issuer that the server trusts
     */
    public ParleyClient(URI server, String key) {
        this(new Requests(server, key), DEFAULT_PROJECT);
    }

    private ParleyClient(Requests requests, String project) {
        this.requests = requests;
        this.project = project;
    }

    /**
     * The same server and key, and another project.
     *
     * @param key of the project, or its id
     */
    public ParleyClient inProject(String key) {
        return new ParleyClient(requests, key);
    }

    /** Says something, and does not wait for what becomes of it. */
    public Turn submit(String session, Message message) {
        return turn(session, message, "");
    }

    /** Says something, and waits for the turn to end, however long that takes. */
    public Turn say(String session, String text) {
        return say(session, Message.of(text));
    }

    /** Says something, and waits for the turn to end, however long that takes. */
    public Turn say(String session, Message message) {
        while (true) {
            Turn turn = turn(
                    session, message, "?wait=30s"); // the same key is the same turn, so to wait longer is to ask again
            if (turn.ended()) {
                return turn;
            }
        }
    }

    private Turn turn(String session, Message message, String query) {
        JsonNode answer = requests.json(
                "POST", of(session) + "/turns" + query, message.body(), Map.of("Idempotency-Key", message.key()));
        return Requests.read(answer, Turn.class);
    }

    /** A turn as it is now. */
    public Turn turn(String session, UUID turn) {
        return Requests.read(get(of(session) + "/turns/" + turn), Turn.class);
    }

    /** Says something, and gives what happens up to {@code done} or {@code error}. Close it. */
    public EventStream<TurnEvent> stream(String session, Message message) {
        return follow(session, submit(session, message).id());
    }

    /** The events of a turn, from its first one that is still kept up to {@code done} or {@code error}. Close it. */
    public EventStream<TurnEvent> follow(String session, UUID turn) {
        var events = new ServerEvents(requests, of(session) + "/events?turn=" + turn, null);
        return new EventStream<>(
                events,
                () -> events.next().map(ParleyClient::turnEvent).or(() -> ended(session, turn)),
                TurnEvent::ends);
    }

    private static TurnEvent turnEvent(Event event) {
        ObjectNode fields = event.data().deepCopy();
        return Requests.read(fields.put("id", event.id()).put("type", event.type()), TurnEvent.class);
    }

    /** The end of a turn of which the server has no events any more; empty where the turn goes on. */
    private Optional<TurnEvent> ended(String session, UUID turn) {
        Turn now;
        try {
            now = turn(session, turn);
        } catch (ParleyException e) {
            return Optional.empty(); // it is not in the view yet, or not any more
        }
        Instant end = now.completedAt();
        return end != null && end.plus(TOLD).isBefore(Instant.now())
                ? Optional.of(new TurnEvent(
                        null,
                        now.state().equals("FAILED") ? "error" : "done",
                        turn,
                        session,
                        0,
                        0,
                        now.reply(),
                        null,
                        null,
                        now.state()))
                : Optional.empty();
    }

    /** Stops what goes on in a session, and what waits there. */
    public void cancel(String session) {
        requests.json("DELETE", of(session) + "/run", null, Map.of());
    }

    /** All messages of a session as JSON, the oldest first; pages are asked for when they are needed. */
    public Iterable<JsonNode> messages(String session) {
        return pages(of(session) + "/messages?", Function.identity());
    }

    /** All sessions that the key sees, the newest first. */
    public Iterable<Session> sessions() {
        return pages(here() + "/sessions?", json -> Requests.read(json, Session.class));
    }

    /** Tool calls that wait for a person, the oldest first. */
    public Iterable<Approval> approvals() {
        return pages(here() + "/approvals?", json -> Requests.read(json, Approval.class));
    }

    /**
     * Answers whether a tool call may be made. The first answer holds; a {@code ParleyException} of 404 where there is
     * one.
     */
    public void decide(Approval asked, Answer answer) {
        requests.json(
                "POST",
                of(asked.session()) + "/approvals/" + asked.id(),
                Map.of("answer", answer.name().toLowerCase(Locale.ROOT)),
                Map.of());
    }

    /**
     * The events of the project, without end, each at least once. Close it.
     *
     * @param types which ones, such as {@code turn.failed}; all where it is empty
     * @param lastEventId the id of the last event that is known, after which it begins; null for what happens from now
     *     on
     */
    public EventStream<ProjectEvent> watch(Set<String> types, @Nullable String lastEventId) {
        String wanted = types.isEmpty() ? "" : "?events=" + Requests.part(String.join(",", new TreeSet<>(types)));
        var events = new ServerEvents(requests, here() + "/events" + wanted, lastEventId);
        return new EventStream<>(events, () -> events.next().map(ParleyClient::projectEvent), event -> false);
    }

    private static ProjectEvent projectEvent(Event event) {
        JsonNode body = event.data();
        return new ProjectEvent(
                event.id(),
                body.path("type").asText(event.type()),
                body.path("timestamp").asText(null),
                body.path("data"));
    }

    /**
     * Any other request of the API. One that changes something is sent once, unless {@code headers} have an
     * {@code Idempotency-Key}.
     *
     * @param path such as {@code /v1/agents}
     * @param body what is sent as JSON, or null for nothing
     * @return the answer; a null of JSON where it has no body
     */
    public JsonNode request(String method, String path, @Nullable Object body, Map<String, String> headers) {
        return requests.json(method, path, body, headers);
    }

    private JsonNode get(String path) {
        return requests.json("GET", path, null, Map.of());
    }

    private <T> Iterable<T> pages(String path, Function<JsonNode, T> thing) {
        return () -> new Pages<>(cursor -> get(path + "limit=200" + cursor), thing);
    }

    private String here() {
        return "/v1/projects/" + Requests.part(project);
    }

    private String of(String session) {
        return here() + "/sessions/" + Requests.part(session);
    }
}
