package dev.parley.server.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.server.canary.ApiDouble.Fault;
import dev.parley.server.canary.SessionCheck.Sent;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The canary against servers that lose, repeat or alter messages, and against those with transient errors. */
@Tag("O30")
class CanaryTest {
    private static final String NONCE = "canary-aaaaaaaaaaaaaaaa";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String url, String... options) {
        var arguments = new ArrayList<>(List.of("--url", url, "--key", "k", "--pause", "0s"));
        arguments.addAll(List.of(options));
        return new CommandLine(new CanaryCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"NONE", "BREAKS_AFTER_ACCEPTING", "BUSY_AT_FIRST", "CUTS_STREAMS"})
    void passesIfEachMessageIsAnsweredOnceInTime(Fault trouble) throws IOException {
        try (var server = new ApiDouble(trouble)) {
            // When
            int status = run(server.url(), "--turns", "5", "--turns-per-session", "2");

            // Then
            assertEquals(0, status, out + "\n" + err);
            assertTrue(out.toString().contains("5 answered, 0 lost, 0 duplicate"), out.toString());
            assertTrue(server.posts() > 5, "messages that are polled for are sent again with the same key");
            assertEquals(3, Set.copyOf(server.erased).size(), "of each session nothing is left");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "LOSES, both, 1 lost",
        "LOSES, poll, 1 lost",
        "MIXES_UP, both, 1 wrong",
        "REPLIES_TWICE, both, 1 duplicate",
        "FORGETS_KEYS, poll, 1 duplicate",
        "RUNS_TWICE, events, 1 duplicate",
        "FAILS, both, 1 failed",
        "REFUSES, both, 1 refused"
    })
    void reportsAFaultAndExitsWithOne(Fault fault, String ends, String counted) throws IOException {
        try (var server = new ApiDouble(fault)) {
            // When
            int status = run(server.url(), "--turns", "1", "--within", "300ms", "--ends", ends);

            // Then
            assertEquals(1, status, out + "\n" + err);
            assertTrue(out.toString().contains(counted), out.toString());
            assertTrue(err.toString().contains(" " + counted.substring(2) + " canary-"), err.toString());
            assertEquals(List.of(), server.erased, "what was wrong can be looked at");
        }
    }

    @Test
    void givesUpAMessageThatIsNotAccepted() throws IOException {
        try (var server = new ApiDouble(Fault.BUSY_AT_FIRST)) {
            assertEquals(1, run(server.url(), "--turns", "1", "--send-within", "40ms"), out.toString());
            assertTrue(out.toString().contains("1 unsent"), out.toString());
        }
    }

    @Test
    void exitsWithTwoWithoutAServer() throws IOException {
        int free;
        try (var socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }

        assertEquals(2, run("http://127.0.0.1:" + free));
        assertTrue(err.toString().contains("Parley cannot be reached at"), err.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--text hello", "--within 0s", "--for soon", "--ends never", "--turns-per-session 0"})
    void rejectsInvalidOptions(String arguments) {
        assertEquals(2, run("http://127.0.0.1:1", arguments.split(" ")));
        assertTrue(err.toString().contains("Usage: canary"), err.toString());
    }

    @Test
    void itsMetricsCanBeReadWhileItRuns() throws Exception {
        try (var server = new ApiDouble(Fault.NONE);
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                var http = HttpClient.newHttpClient()) {
            // Given
            var running =
                    threads.submit(() -> run(server.url(), "--metrics-port", "0", "--for", "2s", "--line-every", "1s"));
            Awaitility.await().until(() -> server.posts() > 3);
            Awaitility.await().until(() -> out.toString().contains("/metrics"));

            // When
            String address = out.toString().lines().findFirst().orElseThrow().replace("Metrics at ", "");
            String text = http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
                    .body();

            // Then
            assertTrue(text.contains("parley_canary_turns_total{result=\"lost\"} 0.0"), text);
            assertFalse(text.contains("parley_canary_turns_total{result=\"answered\"} 0.0"), text);
            assertEquals(0, running.get(), err.toString());
            assertTrue(out.toString().contains(" turns; of all: "), "a line now and then: " + out);
        }
    }

    @Test
    void alertsAndDocumentsUseExistingMetrics() throws IOException {
        // Given
        Set<String> names = Pattern.compile("\\bparley_canary_[a-z_]+")
                .matcher(Files.readString(Path.of("../../deploy/monitoring/turns.yml"))
                        + Files.readString(Path.of("../../docs/metrics.md")))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());

        // Then
        assertTrue(names.size() > 3, names.toString());
        try (var meters = new CanaryMeters()) {
            meters.countRetry("503");
            String metrics = meters.text();
            names.forEach(name -> assertTrue(metrics.contains("\n" + name), name + " in " + metrics));
        }
    }

    private static ObservedSession.Turn turn(String id, String text) {
        return new ObservedSession.Turn(id, "COMPLETED", text, text, "");
    }

    @Test
    void findsMissingAndUnexpectedTurnsOfASession() {
        // Given
        var sent = List.of(new Sent(NONCE, "t1"), new Sent("canary-bbbbbbbbbbbbbbbb", "t2"));
        var turns = List.of(turn("t1", NONCE), turn("t9", "hello"));
        var messages = List.of(
                new ObservedSession.Message("t1", "user", NONCE, ""),
                new ObservedSession.Message("t1", "assistant", NONCE, "stop"));

        // When
        List<CanaryFinding> found = SessionCheck.checkSession(sent, turns, messages);

        // Then
        assertEquals(
                List.of(
                        "lost canary-bbbbbbbbbbbbbbbb: the session does not have turn t2",
                        "duplicate -: turn t9 was not requested"),
                found.stream().map(CanaryFinding::toString).toList());
    }

    @Test
    void distinguishesNonces() {
        assertNotEquals(Nonce.next(), Nonce.next());
        assertTrue(Nonce.isOnlyOneIn("It is " + NONCE + ", twice " + NONCE, NONCE));
        assertFalse(Nonce.isOnlyOneIn(NONCE + " and " + Nonce.next(), NONCE));
        assertFalse(Nonce.isOnlyOneIn("It is nothing", NONCE));
    }
}
