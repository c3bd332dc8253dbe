package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The additional contract of channels that send replies to a platform with its own limits and errors. */
abstract class SendingChannelContract extends ChannelContract {

    /** A conversation that can be closed by the platform. */
    interface Closable extends Conversation {
        /** Makes the platform reject later messages. */
        void closes();
    }

    /** Starts the fake platform; returns the settings of a bot for it. */
    abstract String begin(Path folder) throws IOException;

    /** Called when the instance has started. */
    abstract void connected(Api api);

    /** Stops the fake platform. */
    abstract void end();

    @Override
    Whole begins(Path folder) throws IOException {
        Whole started = Whole.start(folder, begin(folder));
        connected(started.api());
        return started;
    }

    @Override
    void ends() {
        whole.close();
        end();
    }

    @Override
    abstract Closable conversation();

    /**
     * Makes the next messages fail with this status.
     *
     * @param message the error text of the platform
     */
    abstract void failsNext(int times, int status, String message);

    /** Rejects the next message by a rate limit with this wait. */
    abstract void isTooFast(Duration wait);

    /** Accepts the next message, but loses the response. */
    abstract void cutsNext();

    @Override
    String goesWrong(Conversation talk) {
        failsNext(1, 400, "Bad Request: " + secret());
        talk.says("!say refused");
        return "reply abandoned";
    }

    @Test
    @Tag("P49")
    void lostResponseDoesNotRepeatAReply() {
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
    void platformErrorsDelayAReplyWithoutRepeatingTheTurn() {
        Conversation talk = conversation();
        failsNext(2, 502, "Bad Gateway");

        talk.says("!say patience");

        Awaitility.await().atMost(SOON).until(() -> talk.shown().contains("patience"));
        Awaitility.await().atMost(SOON).until(() -> turns(talk).size() == 1);
    }

    @Test
    @Tag("P49")
    void waitsAsLongAsARateLimitDemands() {
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
    void givesUpAClosedConversationWithoutDelayingOthers() {
        // Given
        Closable closed = conversation();
        Closable other = conversation();
        double before = givenUp();
        closed.says("!delay 5s\n!say are you there?");
        Awaitility.await().atMost(SOON).until(() -> !turns(closed).isEmpty());

        // When
        closed.closes();
        other.says("!delay 2s\n!say here");

        // Then
        awaitShown(other, List.of("here"));
        Awaitility.await().atMost(SOON).until(() -> givenUp() > before);
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
    @Override
    @Tag("P48")
    void deliversALongReplyCompletely() {
        Conversation talk = conversation();
        awaitLongReply(talk);
        assertTrue(talk.shown().size() > 1);
    }
}
