package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.embedded.DataFolder;
import dev.parley.platform.embedded.EmbeddedKafka;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What every channel promises, whatever it is: docs/channels.md. A channel's own test extends it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ChannelContract {
    static final Duration SOON = Duration.ofSeconds(60);
    private static final String KEY = "channel-test-key-0123456789";

    private DataFolder infra;
    private EmbeddedKafka kafka;
    private EmbeddedPostgresServer postgres;
    private Instance instance;
    Api api;

    /** A person who talks to a bot, and what that person sees of it. */
    interface Conversation {
        /** The key of its session. */
        String session();

        /** Says something. @return delivers the very same once more */
        Runnable says(String text);

        /** Waits until the channel was told that what was said last is not safe. */
        void awaitNotTaken();

        /** What was not taken is delivered again, as its sender does it. */
        void comesAgain();

        /** The bot's messages as they are now, in order. */
        List<String> shown();

        /** Nothing can be sent there from now on. */
        void closes();
    }

    /** Starts the other side. @return the settings of a bot that talks to it */
    abstract String begin(Path folder) throws IOException;

    /** The instance is there. */
    void connected(Api with) throws IOException {}

    /** Ends the other side. */
    abstract void end();

    abstract Conversation conversation();

    /** The next messages are answered so, and not shown. @param said what the other side says about it */
    abstract void failsNext(int times, int status, String said);

    /** The next message is not shown: the other side wants to be left alone for so long. */
    abstract void isTooFast(Duration wait);

    /** The next message is shown, and nobody hears that it is. */
    abstract void cutsNext();

    /** What nobody may read. */
    abstract String secret();

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("parley.yml"), begin(folder));
        infra = DataFolder.open(folder.resolve("infra"));
        kafka = EmbeddedKafka.start(infra, 0);
        postgres = EmbeddedPostgresServer.start(infra, 0);
        var environment = new HashMap<String, String>();
        environment.put("PARLEY_DATA", folder.resolve("data").toString());
        environment.put("PARLEY_CONFIG", folder.resolve("parley.yml").toString());
        environment.put("PARLEY_PORT", "0");
        environment.put("PARLEY_ADMIN_KEY", KEY);
        environment.put("PARLEY_PARTITIONS", "2");
        environment.put("PARLEY_KAFKA", kafka.bootstrap());
        environment.put("PARLEY_POSTGRES", postgres.database().owner().url());
        environment.put("PARLEY_POSTGRES_USER", postgres.database().owner().user());
        environment.put("PARLEY_POSTGRES_PASSWORD", postgres.database().owner().password());
        environment.put("PARLEY_POSTGRES_APP_USER", postgres.database().app().user());
        environment.put(
                "PARLEY_POSTGRES_APP_PASSWORD", postgres.database().app().password());
        instance = Instance.start(ConfigReader.read(environment));
        api = new Api(instance.url(), KEY);
        connected(api);
    }

    @AfterAll
    void stop() {
        instance.close();
        end();
        postgres.close();
        kafka.close();
        infra.close();
    }

    static void awaitShown(Conversation talk, List<String> texts) {
        Awaitility.await().atMost(SOON).until(talk::shown, texts::equals);
    }

    List<JsonNode> turns(Conversation talk) {
        Api.Answer answer = api.get("/v1/sessions/" + talk.session() + "/turns");
        return answer.status() == 200 ? api.list("/v1/sessions/" + talk.session() + "/turns") : List.of();
    }

    @Test
    @Tag("P7")
    void theSameMessageTwiceIsOneTurn() {
        Conversation talk = conversation();
        Runnable again = talk.says("!say one");
        awaitShown(talk, List.of("one"));

        again.run();
        again.run();
        talk.says("!say two");

        awaitShown(talk, List.of("one", "two"));
        Awaitility.await().atMost(SOON).until(() -> turns(talk).size() == 2);
    }

    @Test
    @Tag("P1")
    void conversationsDoNotMix() {
        Conversation ann = conversation();
        Conversation bob = conversation();
        ann.says("My name is Ada");
        Awaitility.await().atMost(SOON).until(() -> ann.shown().stream().anyMatch(text -> text.contains("Ada.")));

        bob.says("What is my name?");

        Awaitility.await()
                .atMost(SOON)
                .until(() -> !turns(bob).isEmpty()
                        && turns(bob).getFirst().path("state").asText().equals("COMPLETED"));
        Awaitility.await().atMost(SOON).until(() -> bob.shown().stream().anyMatch(text -> text.contains("not told")));
        assertFalse(bob.shown().toString().contains("Ada"));
    }

    @Test
    @Tag("P39")
    void repliesComeInOrder() {
        Conversation talk = conversation();

        talk.says("!call message {\"text\":\"I begin\"}\n!then\n!say first");
        talk.says("!say second");
        talk.says("!say third");

        awaitShown(talk, List.of("I begin", "first", "second", "third"));
    }

    @Test
    @Tag("P49")
    void aCutConnectionDoesNotDoubleAReply() {
        Conversation talk = conversation();
        cutsNext();

        talk.says("!say only once");
        Awaitility.await().atMost(SOON).until(() -> talk.shown().contains("only once"));
        talk.says("!say the end");

        Awaitility.await().atMost(SOON).until(() -> talk.shown().contains("the end"));
        assertEquals(1, talk.shown().stream().filter("only once"::equals).count(), talk.shown()::toString);
    }

    @Test
    @Tag("P49")
    void errorsOfTheOtherSideDelayAReplyAndTheTurnIsRunOnce() {
        Conversation talk = conversation();
        failsNext(2, 502, "Bad Gateway");

        talk.says("!say patience");

        Awaitility.await().atMost(SOON).until(() -> talk.shown().contains("patience"));
        assertEquals(1, turns(talk).size());
    }

    @Test
    @Tag("P49")
    void whoWantsToBeLeftAloneIsLeftAlone() {
        Conversation talk = conversation();
        Duration wait = Duration.ofSeconds(3);
        long before = System.nanoTime();
        isTooFast(wait);

        talk.says("!say calm");

        awaitShown(talk, List.of("calm"));
        assertTrue(Duration.ofNanos(System.nanoTime() - before).compareTo(wait) >= 0);
    }

    @Test
    @Tag("P49")
    void aPlaceThatIsClosedIsGivenUpAndHoldsNobodyUp() {
        // Given
        Conversation closed = conversation();
        Conversation other = conversation();
        double given = givenUp();
        closed.says("!delay 5s\n!say are you there?");
        Awaitility.await().atMost(SOON).until(() -> !turns(closed).isEmpty());

        // When
        closed.closes();
        other.says("!delay 2s\n!say here");

        // Then
        awaitShown(other, List.of("here"));
        Awaitility.await().atMost(SOON).until(() -> givenUp() > given);
        other.says("!say still here");
        awaitShown(other, List.of("here", "still here"));
        assertFalse(closed.shown().contains("are you there?"));
    }

    private double givenUp() {
        return api.get("/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith("parley_channel_failed_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    @Tag("P48")
    void aLongReplyComesInSeveralMessages() {
        Conversation talk = conversation();
        int last = 319;

        talk.says("!say "
                + IntStream.rangeClosed(0, last)
                        .mapToObj(i -> "Paragraph %d has some words of its own.".formatted(i))
                        .collect(Collectors.joining("\\n\\n")));

        Awaitility.await()
                .atMost(SOON)
                .until(() -> talk.shown().stream().anyMatch(text -> text.contains("Paragraph " + last + " ")));
        Awaitility.await().atMost(SOON).until(() -> whole(talk.shown(), last));
        assertTrue(talk.shown().size() > 1);
    }

    private static boolean whole(List<String> shown, int last) {
        String all = String.join("\n\n", shown);
        int at = -1;
        for (int i = 0; i <= last; i++) {
            int found = all.indexOf("Paragraph %d has some words of its own.".formatted(i), at + 1);
            if (found <= at) {
                return false;
            }
            at = found;
        }
        return true;
    }

    @Test
    void whatOperatorsReadHasNoSecret() {
        // Given
        var seen = new ListAppender<ILoggingEvent>();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        seen.start();
        root.addAppender(seen);
        double given = givenUp();
        Conversation talk = conversation();
        failsNext(1, 400, "Bad Request: " + secret());

        // When
        talk.says("!say refused");
        Awaitility.await().atMost(SOON).until(() -> givenUp() > given);
        root.detachAppender(seen);

        // Then
        String log = List.copyOf(seen.list).stream()
                .map(event -> event.getFormattedMessage() + " " + event.getKeyValuePairs() + " "
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())))
                .collect(Collectors.joining("\n"));
        assertTrue(log.contains("a reply cannot be delivered"), log);
        assertFalse(log.contains(secret()), "the log has the secret");
    }

    @Test
    @Order(Integer.MAX_VALUE)
    @Tag("O1")
    void whatIsNotSafeIsNotTakenAndBecomesOneTurnLater() {
        // Given
        Conversation talk = conversation();
        talk.says("!say before");
        awaitShown(talk, List.of("before"));

        // When
        kafka.close();
        try {
            talk.says("!say safe");
            talk.awaitNotTaken();
        } finally {
            kafka = EmbeddedKafka.start(infra, 0);
        }

        // Then
        Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> {
            talk.comesAgain();
            return talk.shown().equals(List.of("before", "safe"));
        });
        Awaitility.await().atMost(SOON).until(() -> turns(talk).size() == 2);
    }
}
