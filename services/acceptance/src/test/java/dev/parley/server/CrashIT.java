package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.testkit.telegram.Bot;
import dev.parley.platform.testkit.telegram.Call;
import dev.parley.platform.testkit.telegram.Chat;
import dev.parley.platform.testkit.telegram.FakeTelegram;
import dev.parley.platform.testkit.telegram.Limits;
import dev.parley.platform.testkit.telegram.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes with all roles under load, and an external ledger of calls. Two are killed, the third is paused,
 * and all are restarted one by one; with {@code -Dparley.crash.minutes=10} one or two of them are killed at random
 * ({@code -Dparley.crash.seed}), repeatedly for this time.
 */
@EnabledIfSystemProperty(
        named = "parley.crash.minutes",
        matches = "\\d+",
        disabledReason = "minutes of both processors: by command, see docs/runtime.md")
class CrashIT {
    private static final Duration CRASHES = Duration.ofMinutes(Long.getLong("parley.crash.minutes", 0));
    private static final long SEED = Long.getLong("parley.crash.seed", 1);
    private static final List<String> NAMES = List.of("one", "two", "three");
    private static final int PARTITIONS = 8;
    private static final int SESSIONS = 8;
    private static final int CHATS = 4;
    private static final Duration A_TURN_EACH = Duration.ofMillis(250);
    /** The broker is not killed: with four processes on two cores it may be slow, and must not fence itself. */
    private static final Map<String, String> PATIENT = Map.of("broker.session.timeout.ms", "18000");

    /** The limits are 8 s and 20 s on a dedicated machine. */
    private static final Duration TAKEN_OVER = Duration.ofSeconds(20);

    private static final Duration BACK = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofMinutes(2);
    /** Time after which a call of a silent worker is requested again. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    @TempDir
    static Path folder;

    private static CallLedger ledger;
    private static FakeTelegram telegram;
    private static Bot bot;
    private static Servers servers;
    private static Cluster cluster;
    private static String bank;

    private final Map<String, Duration> takenOver = new HashMap<>();
    private final Map<String, Duration> back = new HashMap<>();
    /** A period of disturbance, from the kill until all leases have expired. */
    private final List<Trouble> troubles = new ArrayList<>();

    private record Trouble(Instant start, Instant end) {
        boolean meets(Instant from, Instant to) {
            return !from.isAfter(end) && !to.isBefore(start);
        }
    }

    @BeforeAll
    static void start() throws IOException {
        ledger = new CallLedger();
        telegram = new FakeTelegram();
        telegram.limits(Limits.TELEGRAM);
        String token = "123456:AAcrashing-token_0123456789";
        bot = telegram.bot(token, "parley_bot");
        Path tokenFile = Files.writeString(folder.resolve("token"), token);
        Path key = Files.writeString(folder.resolve("key"), "sk-test");
        String settings = ledger.settings(key)
                + "telegram: [{ token: \"file:%s\", apiUrl: \"%s\", allowAll: true }]%n"
                        .formatted(tokenFile, telegram.url());
        Files.writeString(folder.resolve("parley.yml"), settings);
        servers = new Servers(folder, PATIENT);
        cluster = new Cluster(folder);
        cluster.startAll(NAMES, servers, PARTITIONS, Map.of("PARLEY_DRAIN", "3"));
        ledger.define(cluster.api("one"));
        bank = "/v1/banks/"
                + cluster.api("one")
                        .post("/v1/banks", Map.of("scope", "agent", "agent", "default"))
                        .json()
                        .path("id")
                        .asText();
    }

    @AfterAll
    static void stop() {
        cluster.close();
        servers.close();
        telegram.close();
        ledger.close();
    }

    @Test
    @Tag("P14")
    @Tag("I68")
    @Tag("P49")
    void othersTakeOverAndStayReadyAndKilledProcessesReturn() {
        try (var watch = new ReadinessWatch();
                var load = load(0)) {
            // Given
            NAMES.forEach(name -> watch.add(name, cluster.api(name)));
            Instant start = Instant.now();
            System.out.printf("take-over: p50 %d ms before%n", load.millis(50, start.minusSeconds(60), start));

            // When
            List.of("one", "two").forEach(name -> killAndStartAgain(List.of(name), load, watch));
            int kills = 2 + killRandomly(load, watch);
            awaitAnswers(load, Instant.now());
            load.end();

            // Then
            print(load, watch, start, kills);
            assertAll(
                    () -> assertEquals(List.of(), watch.unready()),
                    () -> takenOver.forEach((name, took) -> assertBelow(TAKEN_OVER, took, "after " + name)),
                    () -> back.forEach((name, took) -> assertBelow(BACK, took, name + " is back")),
                    () -> assertNothingLostOrDoubled(load));
        }
    }

    @Test
    @Tag("P14")
    @Tag("I68")
    void othersAnswerForAPausedProcessWhichRejoins() {
        try (var load = load(100_000)) {
            // Given
            ParleyProcess process = cluster.process("three");
            Api api = process.api();

            // When
            process.pause();
            Instant paused = Instant.now();
            load.remove(api);
            Duration took = awaitAnswers(load, paused);
            process.resume();
            Instant resumed = Instant.now();
            load.add(api);

            // Then
            awaitAnswers(load, resumed);
            Awaitility.await().atMost(SOON).until(() -> isReadyAndStable(api));
            Duration rests = Duration.between(resumed, Instant.now());
            awaitAnswers(load, Instant.now());
            load.end();
            troubles.add(new Trouble(paused, Instant.now()));
            System.out.printf(
                    "take-over: the others answer %s after three stood still, which is back %s after it went on; %d"
                            + " turns%n",
                    took, rests, load.said());
            assertNothingLostOrDoubled(load);
        }
    }

    @Test
    @Tag("O12")
    @Tag("P56")
    void rollingRestartFailsNoCallsToTheStoppingProcess() {
        try (var callers = new StickyCallers(NAMES)) {
            // Given
            NAMES.forEach(name -> callers.at(name, cluster.api(name)));
            callers.begin();
            NAMES.forEach(name -> callers.awaitCalls(name, 4));

            // When
            for (String name : NAMES) {
                Api api = cluster.api(name);
                cluster.process(name).terminate();
                Awaitility.await() // it reports that it is not ready, and still answers
                        .atMost(SOON)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> api.get("/health/ready").status() == 503);
                callers.awaitCalls(name, 1);
                assertEquals(143, cluster.process(name).ended(SOON));
                cluster.startAgain(name);
                callers.at(name, cluster.api(name));
                callers.awaitCalls(name, 2);
            }
            callers.end();

            // Then
            System.out.printf(
                    "rolling restart: calls %s, %d turns%n",
                    callers.calls(), callers.said().size());
            assertEquals(List.of(), callers.failures());
            List<String> messages = callers.said().stream().sorted().toList();
            Awaitility.await().atMost(SOON).until(CrashIT::loyalReplies, messages::equals);
        }
    }

    private static List<String> loyalReplies() {
        return NAMES.stream()
                .flatMap(name -> SteadyLoad.replies(cluster.api("one"), "loyal:" + name).stream())
                .sorted()
                .toList();
    }

    /** Whether the process is ready and none of its partitions is moving. */
    private static boolean isReadyAndStable(Api api) {
        Api.Answer answer = api.get("/health/ready");
        return answer.status() == 200 && !answer.text().contains("MOVING");
    }

    /**
     * Load on the three processes.
     *
     * @param first the number of the first turn
     */
    private static SteadyLoad load(int first) {
        List<Chat> chats = IntStream.range(first, first + CHATS)
                .mapToObj(i -> bot.chat(telegram.user(1_000 + i, "Ann")))
                .toList();
        var load = new SteadyLoad(first, SESSIONS, bank, chats);
        NAMES.forEach(name -> load.add(cluster.api(name)));
        load.begin(A_TURN_EACH);
        awaitAnswers(load, Instant.now());
        return load;
    }

    /** Kills one or two processes at random moments until the time is over; returns how many were killed. */
    private int killRandomly(SteadyLoad load, ReadinessWatch watch) {
        var chance = new Random(SEED);
        Instant end = Instant.now().plus(CRASHES);
        int kills = 0;
        while (Instant.now().isBefore(end)) {
            int turns = load.said() + chance.nextInt(12);
            Awaitility.await().atMost(SOON).until(() -> load.said() >= turns);
            String name = NAMES.get(chance.nextInt(NAMES.size()));
            String other = NAMES.get(chance.nextInt(NAMES.size()));
            List<String> killed = chance.nextBoolean() || other.equals(name) ? List.of(name) : List.of(name, other);
            killAndStartAgain(killed, load, watch);
            kills += killed.size();
        }
        return kills;
    }

    private void killAndStartAgain(List<String> names, SteadyLoad load, ReadinessWatch watch) {
        List<Api> apis = names.stream().map(cluster::api).toList();
        names.forEach(watch::remove);
        names.forEach(name -> cluster.process(name).kill());
        Instant killed = Instant.now();
        apis.forEach(load::remove);
        String joinedNames = String.join(" and ", names);
        takenOver.merge(joinedNames, awaitAnswers(load, killed), CrashIT::longer);
        System.out.printf(
                "take-over: the others answer %s after %s was killed%n", takenOver.get(joinedNames), joinedNames);
        for (String name : names) {
            Instant start = Instant.now();
            cluster.startAgain(name);
            back.merge(name, Duration.between(start, Instant.now()), CrashIT::longer);
            System.out.printf("take-over: %s is back after %s%n", name, back.get(name));
            load.add(cluster.api(name));
            watch.add(name, cluster.api(name));
        }
        troubles.add(new Trouble(killed, Instant.now().plus(LEASE)));
    }

    private static Duration longer(Duration first, Duration second) {
        return first.compareTo(second) > 0 ? first : second;
    }

    private static Duration awaitAnswers(SteadyLoad load, Instant since) {
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertEquals(List.of(), load.unanswered(since)));
        return load.allAnswered(since).orElseThrow();
    }

    private void print(SteadyLoad load, ReadinessWatch watch, Instant start, int kills) {
        Instant end = Instant.now();
        System.out.printf(
                "take-over: %d kills (seed %d), %d turns, p50 %d ms, p99 %d ms, max %d ms; taken over %s; back %s;"
                        + " asked %d times, not ready %d, moving %d, servers late %d%n",
                kills,
                SEED,
                load.said(),
                load.millis(50, start, end),
                load.millis(99, start, end),
                load.millis(100, start, end),
                takenOver,
                back,
                watch.asked(),
                watch.unready().size(),
                watch.moving(),
                watch.late());
    }

    private static void assertBelow(Duration limit, Duration took, String description) {
        assertTrue(took.compareTo(limit) < 0, description + " " + took);
    }

    private void assertNothingLostOrDoubled(SteadyLoad load) {
        assertAll(
                () -> assertEachTurnEndedOnce(load, cluster.api("one")),
                () -> assertEachMessageIsAnsweredOnce(load),
                () -> assertOnlyRepeatableCallsAreRepeated(load),
                () -> assertEachNoteIsKnownOnce(load.notes(), cluster.api("one")));
    }

    private static void assertEachTurnEndedOnce(SteadyLoad load, Api api) {
        load.assertEachTurnEndedOnce(api, SOON);
        load.textsBySession()
                .forEach((session, texts) -> Awaitility.await()
                        .atMost(SOON)
                        .untilAsserted(() -> assertEquals(texts, finalMessages(api, session))));
    }

    /** The texts of the assistant messages of a session, sorted. */
    private static List<String> finalMessages(Api api, String session) {
        return api.all("/v1/sessions/" + session + "/messages?role=assistant&limit=100").stream()
                .flatMap(message -> message.path("parts").findValuesAsText("text").stream())
                .filter(text -> text.startsWith("answer "))
                .sorted()
                .toList();
    }

    /**
     * Each message to the bot has one complete answer; if a send was in doubt, a partial one may remain, one for each
     * kill.
     */
    private void assertEachMessageIsAnsweredOnce(SteadyLoad load) {
        load.messages().forEach((text, chat) -> chat.awaitAnswer(text, SOON));
        Set<Chat> chats = Set.copyOf(load.messages().values());
        int sends = 0;
        int partials = 0;
        for (Chat chat : chats) {
            List<String> texts = load.messages().entrySet().stream()
                    .filter(message -> message.getValue() == chat)
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
            Map<Boolean, List<String>> answersByPartial = chat.answers().stream()
                    .map(Message::text)
                    .collect(Collectors.partitioningBy(text -> text.endsWith("…")));
            assertEquals(texts, answersByPartial.get(false).stream().sorted().toList());
            assertTrue(
                    answersByPartial.get(true).size() <= troubles.size(),
                    () -> "first words left: " + answersByPartial);
            partials += answersByPartial.get(true).size();
            sends += (int) bot.calls("sendMessage").stream()
                    .filter(call -> isIn(chat, call) && call.ok())
                    .count();
        }
        System.out.printf(
                "take-over: %d messages to the bot, %d sends, first words left %d%n",
                load.messages().size(), sends, partials);
        assertEquals(load.messages().size() + partials, sends);
    }

    private static boolean isIn(Chat chat, Call call) {
        return call.params().path("chat_id").asLong() == chat.id();
    }

    /**
     * Checks that at-most-once calls ran at most once, and other calls were repeated only in turns during a kill or
     * a move of partitions, once for each of these.
     */
    private void assertOnlyRepeatableCallsAreRepeated(SteadyLoad load) {
        Map<String, Long> models = ledger.doubled(name -> name.startsWith("model"));
        Map<String, Long> tools = ledger.doubled(CallLedger.AGAIN::equals);
        long unknown = load.turns().keySet().stream()
                .filter(text -> ledger.count(CallLedger.ONCE, text) == 0)
                .count();
        System.out.printf(
                "take-over: %d calls outside; doubled: %d of models, %d of the repeatable tool; never made: %d"
                        + " at-most-once calls%n",
                ledger.calls().size(), sum(models), sum(tools), unknown);
        assertEquals(Map.of(), ledger.doubled(CallLedger.ONCE::equals));
        load.turns().forEach((text, turn) -> {
            long during = troubles.stream()
                    .filter(trouble -> trouble.meets(turn.said(), turn.answered()))
                    .count();
            assertTrue(models.getOrDefault(text, 0L) <= 2 * during, () -> text + " asked models again: " + models);
            assertTrue(tools.getOrDefault(text, 0L) <= during, () -> text + " called the tool again: " + tools);
            assertTrue(ledger.count(CallLedger.ENDS, text) >= 1 && ledger.count(CallLedger.ASKS, text) >= 1, text);
        });
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The bank may contain other notes as well. */
    private static void assertEachNoteIsKnownOnce(List<String> notes, Api api) {
        List<String> sorted = notes.stream().sorted().toList();
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertEquals(
                        sorted,
                        api.all(bank + "/units?type=world&fresh=true&limit=100").stream()
                                .map(unit -> unit.path("text").asText())
                                .filter(notes::contains)
                                .sorted()
                                .toList()));
    }
}
