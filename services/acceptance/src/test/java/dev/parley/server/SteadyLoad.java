package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.testkit.telegram.Chat;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * Turns with two tool calls at a steady rate, whether or not earlier ones have been answered, with
 * occasional notes for a bank and messages to a bot. Each request goes to any of the processes, and to another one if
 * that fails, as through a load balancer.
 */
final class SteadyLoad implements AutoCloseable {
    private static final Duration ANSWERED = Duration.ofSeconds(90);
    private static final Duration AGAIN = Duration.ofMillis(50);
    private static final int TURNS_A_NOTE = 8;
    private static final int TURNS_A_MESSAGE = 8;
    private static final List<String> SYLLABLES =
            List.of("ku", "lo", "min", "dar", "ses", "tif", "gor", "wen", "hap", "zul");

    private final List<String> sessions;
    private final String bank;
    private final List<Api> processes = new CopyOnWriteArrayList<>();
    private final Map<String, Turn> turns = new ConcurrentHashMap<>();
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final List<Chat> chats;
    private final Map<String, Chat> messages = new ConcurrentHashMap<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final int first;
    private final UnaryOperator<String> prompts;
    private final AtomicInteger next;
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    /** An answered turn. */
    record Turn(String session, String text, Instant said, Duration took, JsonNode answer) {
        Instant answered() {
            return said.plus(took);
        }
    }

    /** @param first the number of its first turn; loads with other numbers have other sessions, turns and notes */
    SteadyLoad(int first, int sessions, String bank, List<Chat> chats) {
        this(first, sessions, bank, chats, text -> text);
    }

    /** @param prompts the message that is answered with a given text */
    SteadyLoad(int first, int sessions, String bank, List<Chat> chats, UnaryOperator<String> prompts) {
        this.prompts = prompts;
        this.first = first;
        next = new AtomicInteger(first);
        this.sessions = IntStream.range(first, first + sessions)
                .mapToObj("load:%d"::formatted)
                .toList();
        this.bank = bank;
        this.chats = List.copyOf(chats);
    }

    void begin(Duration interval) {
        var _ = clock.scheduleAtFixedRate(this::say, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Stops new turns; waits until submitted ones have been answered. */
    void end() {
        close();
        Awaitility.await().atMost(ANSWERED).until(() -> clients.awaitTermination(0, TimeUnit.SECONDS));
    }

    void add(Api process) {
        processes.add(process);
    }

    void remove(Api process) {
        processes.remove(process);
    }

    private void say() {
        int number = next.getAndIncrement();
        clients.execute(() -> say(number, sessions.get(number % sessions.size())));
        if (number % TURNS_A_NOTE == 0) {
            clients.execute(() -> note("%s lives in %s.".formatted(name("Ba", number), name("Ve", number + 1))));
        }
        if (!chats.isEmpty() && number % TURNS_A_MESSAGE == 1) {
            Chat chat = chats.get(number / TURNS_A_MESSAGE % chats.size());
            String text = "answer t" + number;
            messages.put(text, chat);
            chat.says(text);
        }
    }

    /** A name of two words for each number, distinct enough that no two are taken for misspellings of each other. */
    static String name(String prefix, int number) {
        String digits = "%04d".formatted(number);
        int half = digits.length() - 2;
        String second = spell(digits.substring(half));
        return prefix + spell(digits.substring(0, half)) + " "
                + second.substring(0, 1).toUpperCase(Locale.ROOT) + second.substring(1);
    }

    private static String spell(String digits) {
        return digits.chars()
                .mapToObj(digit -> SYLLABLES.get(Character.digit(digit, SYLLABLES.size())))
                .collect(Collectors.joining());
    }

    private void say(int number, String session) {
        Instant sentAt = Instant.now();
        long start = System.nanoTime();
        String text = "answer " + number;
        Object body = Map.of("text", prompts.apply(text));
        Api.Answer answer = send(number, "/v1/sessions/" + session + "/turns?wait=60s", body, "turn " + number, 200);
        if (answer != null) {
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            turns.put(text, new Turn(session, text, sentAt, took, answer.json()));
        }
    }

    private void note(String note) {
        notes.add(note);
        send(notes.size(), bank + "/docs", Map.of("id", note, "text", note), note, 202);
    }

    /** Sends a request until it is answered; null if it never was. */
    private Api.Answer send(int first, String path, Object body, String key, int status) {
        var tries = new AtomicInteger(first);
        try {
            return Awaitility.await()
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(AGAIN)
                    .atMost(ANSWERED)
                    .until(
                            () -> attempt(tries.getAndIncrement(), path, body, key),
                            it -> it != null && it.status() == status);
        } catch (RuntimeException e) {
            failures.add(key + ": " + e.getMessage());
            return null;
        }
    }

    private Api.Answer attempt(int number, String path, Object body, String key) {
        List<Api> now = List.copyOf(processes);
        try {
            return now.get(number % now.size()).post(path, body, Map.of("Idempotency-Key", key));
        } catch (AssertionError e) { // the process has stopped listening
            return null;
        }
    }

    /** The time until each session had an answered turn that was submitted after a moment; empty until then. */
    Optional<Duration> allAnswered(Instant since) {
        var firsts = sessions.stream()
                .map(session -> turns.values().stream()
                        .filter(turn ->
                                turn.session().equals(session) && turn.said().isAfter(since))
                        .map(Turn::answered)
                        .min(Comparator.naturalOrder()))
                .toList();
        return firsts.stream().allMatch(Optional::isPresent)
                ? firsts.stream()
                        .flatMap(Optional::stream)
                        .max(Comparator.naturalOrder())
                        .map(last -> Duration.between(since, last))
                : Optional.empty();
    }

    /** The sessions without an answered turn that was submitted after a moment. */
    List<String> unanswered(Instant since) {
        return sessions.stream()
                .filter(session -> turns.values().stream()
                        .noneMatch(turn ->
                                turn.session().equals(session) && turn.said().isAfter(since)))
                .toList();
    }

    /** The percentile of the duration of turns submitted between two moments, in milliseconds. */
    long millis(double percent, Instant from, Instant to) {
        List<Long> sorted = turns.values().stream()
                .filter(turn -> !turn.said().isBefore(from) && turn.said().isBefore(to))
                .map(turn -> turn.took().toMillis())
                .sorted()
                .toList();
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }

    /** The texts of each session, sorted. */
    Map<String, List<String>> textsBySession() {
        return turns.values().stream()
                .sorted(Comparator.comparing(Turn::text))
                .collect(Collectors.groupingBy(Turn::session, Collectors.mapping(Turn::text, Collectors.toList())));
    }

    /** Asserts that each turn was answered with its text, and that each session has one turn for each text in time. */
    void assertEachTurnEndedOnce(Api api, Duration timeout) {
        assertEquals(List.of(), failures);
        assertEquals(said(), turns.size());
        turns.forEach(
                (text, turn) -> assertEquals(text, turn.answer().path("reply").asText()));
        textsBySession()
                .forEach((session, texts) -> Awaitility.await()
                        .atMost(timeout)
                        .untilAsserted(() -> assertEquals(texts, replies(api, session))));
    }

    /** The replies of all turns of a session, sorted. */
    static List<String> replies(Api api, String session) {
        return api.all("/v1/sessions/" + session + "/turns?limit=100").stream()
                .map(turn -> turn.path("reply").asText())
                .sorted()
                .toList();
    }

    int said() {
        return next.get() - first;
    }

    List<String> sessions() {
        return sessions;
    }

    /** Answered turns, by the expected text. */
    Map<String, Turn> turns() {
        return turns;
    }

    /** The chat of each message to the bot, which replies with the same text. */
    Map<String, Chat> messages() {
        return messages;
    }

    List<String> notes() {
        return notes;
    }

    /** Requests that were never answered. */
    List<String> failures() {
        return failures;
    }

    @Override
    public void close() {
        clock.shutdownNow();
        clients.shutdown();
    }
}
