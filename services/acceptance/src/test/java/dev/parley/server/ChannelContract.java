package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

/** The contract of every channel, see docs/channels.md. The test of each channel extends it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class ChannelContract {
    static final Duration SOON = Duration.ofSeconds(60);

    Whole whole;
    Api api;

    /** A server process with its broker and its database. */
    record Whole(Servers servers, Instance instance, Api api) implements AutoCloseable {
        /** Starts the process with these settings. */
        static Whole start(Path folder, String settings) throws IOException {
            Files.writeString(folder.resolve("parley.yml"), settings);
            var servers = new Servers(folder);
            var instance = servers.start("one");
            return new Whole(servers, instance, Api.of(instance));
        }

        @Override
        public void close() {
            instance.close();
            servers.close();
        }
    }

    /** A user's conversation with an agent, as the user sees it. */
    interface Conversation {
        /** The key of its session. */
        String session();

        /** Sends a message; the result delivers the same message again. */
        Runnable says(String text);

        /** Waits until the sender has been told that the last message is not stored. */
        void awaitNotTaken();

        /** Redelivers a message that was not accepted, as its sender does. */
        void comesAgain();

        /** The replies as currently shown, in order. */
        List<String> shown();
    }

    /** Starts the process that has the channel. */
    abstract Whole begins(Path folder) throws IOException;

    /** Stops what was started for this channel. */
    abstract void ends();

    abstract Conversation conversation();

    /** The secret that must not be logged. */
    abstract String secret();

    /** Causes an error that involves the secret; returns the beginning of its log message. */
    abstract String goesWrong(Conversation talk);

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        whole = begins(folder);
        api = whole.api();
    }

    @AfterAll
    void stop() {
        ends();
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
        Runnable redelivery = talk.says("!say one");
        awaitShown(talk, List.of("one"));

        redelivery.run();
        redelivery.run();
        talk.says("!say two");

        awaitShown(talk, List.of("one", "two"));
        Awaitility.await().atMost(SOON).until(() -> turns(talk).size() == 2);
    }

    @Test
    @Tag("P1")
    void conversationsDoNotMix() {
        // Given
        Conversation ann = conversation();
        Conversation bob = conversation();
        ann.says("My name is Ada");
        Awaitility.await().atMost(SOON).until(() -> ann.shown().stream().anyMatch(text -> text.contains("Ada.")));

        // When
        bob.says("What is my name?");

        // Then
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
    void deliversALongReplyCompletely() {
        awaitLongReply(conversation());
    }

    /** Requests a reply beyond the usual message length, and waits until it has arrived completely. */
    static void awaitLongReply(Conversation talk) {
        int last = 319;
        talk.says("!say "
                + IntStream.rangeClosed(0, last)
                        .mapToObj(i -> "Paragraph %d has some words of its own.".formatted(i))
                        .collect(Collectors.joining("\\n\\n")));
        Awaitility.await().atMost(SOON).until(() -> isComplete(talk.shown(), last));
    }

    private static boolean isComplete(List<String> replies, int last) {
        String text = String.join("\n\n", replies);
        int position = -1;
        for (int i = 0; i <= last; i++) {
            int found = text.indexOf("Paragraph %d has some words of its own.".formatted(i), position + 1);
            if (found <= position) {
                return false;
            }
            position = found;
        }
        return true;
    }

    @Test
    void logHasNoSecret() {
        // Given
        try (var log = new LogCapture()) {
            // When
            String logMessage = goesWrong(conversation());
            Awaitility.await().atMost(SOON).until(() -> log.text().contains(logMessage));

            // Then
            assertFalse(log.text().contains(secret()), "the log has the secret");
        }
    }

    @Test
    @Order(Integer.MAX_VALUE)
    @Tag("O1")
    void unstoredMessageIsRejectedAndBecomesOneTurnOnRedelivery() {
        // Given
        Conversation talk = conversation();
        talk.says("!say before");
        awaitShown(talk, List.of("before"));

        // When
        whole.servers().stopKafka();
        try {
            talk.says("!say safe");
            talk.awaitNotTaken();
        } finally {
            whole.servers().startKafka();
        }

        // Then
        Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> {
            talk.comesAgain();
            return talk.shown().equals(List.of("before", "safe"));
        });
        Awaitility.await().atMost(SOON).until(() -> turns(talk).size() == 2);
    }
}
