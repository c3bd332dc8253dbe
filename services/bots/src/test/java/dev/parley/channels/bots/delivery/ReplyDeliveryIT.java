package dev.parley.channels.bots.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.ChannelsSchema;
import dev.parley.channels.bots.people.ChatRows;
import dev.parley.channels.bots.people.Chats;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.DeliveryReport;
import dev.parley.channels.contract.Limits;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.TestInfra;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replies to a channel whose messages can neither be edited nor repeated, with kills, against Postgres. */
final class ReplyDeliveryIT {
    private static final UUID HOST = AccessDirectory.DEFAULT_HOST;
    private static final String BOT = "phone";
    private static final ConversationAddress ADDRESS = new ConversationAddress(BOT, "US.1", null);
    private static final Optional<String> IN_DOUBT = Optional.of("a message may not have been sent");

    private static Repositories repositories;
    private static DeliveryLedger ledger;
    private static Chats chats;

    @TempDir
    private Path folder;

    private final Channel channel = new Channel();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private BlobStore blobs;
    private ReplyDelivery delivery;

    /** The process was killed: nothing after the call is executed. */
    private static final class KilledError extends Error {
        private static final long serialVersionUID = 1;
    }

    private enum Fault {
        NONE,
        KILLED_BEFORE,
        KILLED_AFTER,
        ANSWER_LOST,
        LATER
    }

    /** A channel that shows each piece of a text that is separated by {@code |}. */
    private static final class Channel implements Connection {
        private final List<String> shown = new ArrayList<>();
        private final List<Delivery> deliveries = new ArrayList<>();
        private final Deque<Fault> faults = new ArrayDeque<>();
        private Duration reports = Duration.ZERO;

        @Override
        public List<Piece> pieces(String text) {
            return Arrays.stream(text.split("\\|"))
                    .<Piece>map(Piece.Words::plain)
                    .toList();
        }

        @Override
        public boolean editsMessages() {
            return false;
        }

        @Override
        public Duration reportsWithin() {
            return reports;
        }

        @Override
        public long largestFile() {
            return 1_000;
        }

        @Override
        public String send(ConversationAddress to, Piece piece, Delivery sent) throws SendFailure {
            Fault fault = faults.isEmpty() ? Fault.NONE : faults.poll();
            if (fault == Fault.KILLED_BEFORE) {
                throw new KilledError();
            }
            if (fault == Fault.LATER) {
                throw new SendFailure(Kind.LATER, "busy", null);
            }
            shown.add(
                    switch (piece) {
                        case Piece.Words words -> words.plain();
                        case Piece.Document file -> file.name();
                    });
            deliveries.add(sent);
            if (fault == Fault.KILLED_AFTER) {
                throw new KilledError();
            }
            if (fault == Fault.ANSWER_LOST) {
                throw new SendFailure(Kind.IN_DOUBT, "no answer", null);
            }
            return reference(sent);
        }

        private static String reference(Delivery sent) {
            return "m-" + sent.id();
        }

        @Override
        public void edit(ConversationAddress address, String message, Piece.Words words) {
            throw new AssertionError("messages of this channel are never edited");
        }

        @Override
        public Limits limits(ConversationAddress address) {
            return new Limits(1_000, 1_000, 1_000, Duration.ofSeconds(1), Duration.ofSeconds(1));
        }

        @Override
        public void close() {}
    }

    @BeforeAll
    static void migrate() {
        var created = TestInfra.newDatabase();
        ChannelsSchema.migrate(Databases.single(created.owner()), created.app().user());
        repositories = Repositories.of(created.app());
        Database database = repositories.database();
        ledger = new DeliveryLedger(
                database,
                repositories.bean(DeliveryRows.class),
                repositories.bean(SentMessageRows.class),
                repositories.bean(TaskMessageRows.class));
        chats = new Chats(database, repositories.bean(ChatRows.class), HOST);
    }

    @AfterAll
    static void stop() {
        repositories.close();
    }

    @BeforeEach
    void start() {
        blobs = new BlobStore(folder, 1 << 20);
        restart();
    }

    /** A new process, which knows nothing but what the ledger says. */
    private void restart() {
        var rate = new ChatRateLimiter(new BotRateLimiter(1_000), channel.limits(ADDRESS));
        delivery = new ReplyDelivery(
                channel, HOST, ledger, new ReplyFiles(blobs), rate, new BotMeters(meters, BOT), chats);
    }

    private static Reply reply(String text, List<Block.File> files, List<Choice> choices) {
        return new Reply(
                UUID.randomUUID(),
                HOST,
                new RecordKey("default", BOT + ":US.1"),
                UUID.randomUUID(),
                new ReplyAddress(BOT, "US.1", null, null),
                Reply.Kind.FINAL,
                text,
                Instant.now(),
                files,
                choices);
    }

    private static Reply reply(String text) {
        return reply(text, List.of(), List.of());
    }

    private Optional<String> send(Reply reply) throws SendFailure, InterruptedException {
        return delivery.send(reply, ADDRESS);
    }

    private double inDoubt() {
        return meters.counter("parley_channel_in_doubt", "bot", BOT).count();
    }

    @Test
    @Tag("B200")
    void messagesAreSentWholeAndOnce() throws Exception {
        Reply reply = reply("one|two");

        assertEquals(Optional.empty(), send(reply));
        restart();
        assertEquals(Optional.empty(), send(reply));

        assertEquals(List.of("one", "two"), channel.shown);
        assertEquals(
                List.of(reply.replyId() + "-0", reply.replyId() + "-1"),
                channel.deliveries.stream().map(Delivery::id).toList());
    }

    @Test
    @Tag("B200")
    void whatWasCertainlyNotSentIsSentAgain() throws Exception {
        // Given
        Reply reply = reply("one|two");
        channel.faults.addAll(List.of(Fault.NONE, Fault.LATER));

        // When
        assertEquals(
                Kind.LATER, assertThrows(SendFailure.class, () -> send(reply)).kind());

        // Then
        assertEquals(Optional.empty(), send(reply));
        assertEquals(List.of("one", "two"), channel.shown);
    }

    @Test
    @Tag("B200")
    void aKillBeforeOrAfterSendingNeverSendsTwice() throws Exception {
        for (Fault kill : List.of(Fault.KILLED_BEFORE, Fault.KILLED_AFTER)) {
            // Given
            channel.shown.clear();
            channel.faults.addAll(List.of(Fault.NONE, kill));
            Reply reply = reply("one|two|three");
            assertThrows(KilledError.class, () -> send(reply));

            // When another process goes on
            restart();
            Optional<String> result = send(reply);

            // Then
            assertEquals(IN_DOUBT, result, kill::name);
            assertEquals(
                    kill == Fault.KILLED_AFTER ? List.of("one", "two", "three") : List.of("one", "three"),
                    channel.shown);
        }
        assertEquals(2, inDoubt());
    }

    @Test
    @Tag("B200")
    void aReportThatCameMeanwhileEndsTheDoubt() throws Exception {
        // Given
        channel.faults.add(Fault.KILLED_AFTER);
        Reply reply = reply("one");
        assertThrows(KilledError.class, () -> send(reply));

        // When
        var report = new DeliveryReport(reply.replyId() + "-0", "m-7", null);
        assertTrue(ledger.record(HOST, BOT, report));
        assertFalse(ledger.record(HOST, BOT, report), "it says nothing new");
        restart();

        // Then
        assertEquals(Optional.empty(), send(reply));
        assertEquals(List.of("one"), channel.shown);
        assertEquals("m-7", ledger.slot(HOST, reply.replyId(), 0).message());
        assertEquals(0, inDoubt());
    }

    @Test
    @Tag("B200")
    void aReportIsWaitedFor() throws Exception {
        // Given a message whose answer was lost, and a channel that reports for a long time
        channel.reports = Duration.ofMinutes(5);
        channel.faults.add(Fault.ANSWER_LOST);
        Reply reply = reply("one|two");
        assertThrows(SendFailure.class, () -> send(reply));

        // When the report comes while the next attempt waits for it
        Thread reporting = Thread.ofVirtual().start(() -> {
            var report = new DeliveryReport(reply.replyId() + "-0", "m-8", null);
            assertTrue(ledger.record(HOST, BOT, report));
        });

        // Then
        assertEquals(Optional.empty(), send(reply));
        reporting.join();
        assertEquals(List.of("one", "two"), channel.shown);
    }

    @Test
    @Tag("B200")
    void theWaitIsBoundedAndHappensOnce() throws Exception {
        // Given
        channel.reports = Duration.ofMillis(700);
        channel.faults.addAll(List.of(Fault.ANSWER_LOST, Fault.LATER));
        Reply reply = reply("one|two");
        assertThrows(SendFailure.class, () -> send(reply));

        // When
        long before = System.nanoTime();
        assertThrows(SendFailure.class, () -> send(reply), "the second message fails");
        long waited = System.nanoTime() - before;
        channel.reports = Duration.ofMinutes(5); // a second wait would exceed the timeout of the test

        // Then
        assertTrue(Duration.ofNanos(waited).compareTo(Duration.ofMillis(700)) >= 0);
        assertEquals(IN_DOUBT, send(reply));
        assertEquals(List.of("one", "two"), channel.shown);
    }

    @Test
    @Tag("B200")
    void filesAndLongQuestionsAreSentOnce() throws Exception {
        // Given
        var blob = blobs.put(new ByteArrayInputStream(new byte[] {1, 2}));
        var file = new Block.File("in.bin", "application/octet-stream", blob.size(), blob.sha256(), null, null);
        Reply reply = reply("text", List.of(file), List.of());
        channel.faults.addAll(List.of(Fault.NONE, Fault.KILLED_AFTER));
        assertThrows(KilledError.class, () -> send(reply));
        Reply question = reply("a|b|c|d", List.of(), List.of(new Choice("Yes", Choice.APPROVAL, "Y 1")));

        // When
        restart();
        assertEquals(Optional.of("a file may not have been sent"), send(reply));
        channel.faults.add(Fault.KILLED_AFTER);
        assertThrows(KilledError.class, () -> send(question));
        restart();
        send(question);

        // Then nobody approves what they may not have been shown
        assertEquals(4, channel.shown.size(), channel.shown::toString);
        assertEquals(List.of("text", "in.bin", "question.txt"), channel.shown.subList(0, 3));
        assertTrue(channel.shown.getLast().contains("too long to be shown here"), channel.shown::toString);
    }

    @Test
    @Tag("B207")
    void aFailureThatIsReportedLaterShowsOnTheDelivery() throws Exception {
        // Given one that was delivered, and one that fails before it is complete
        Reply early = reply("one");
        Reply late = reply("two");
        send(early);
        ledger.recordDelivered(early, null);
        send(late);

        // When
        for (Reply reply : List.of(early, late)) {
            ledger.record(HOST, BOT, new DeliveryReport(reply.replyId() + "-0", "m", "131026 undeliverable"));
        }
        ledger.recordDelivered(late, null);

        // Then
        for (Reply reply : List.of(early, late)) {
            RecordedDelivery shown = ledger.newest(HOST, BOT, null, "failed", 10).stream()
                    .filter(row -> row.reply().equals(reply.replyId()))
                    .findFirst()
                    .orElseThrow();
            assertEquals("131026 undeliverable", shown.detail());
        }
    }

    @Test
    @Tag("B207")
    void reportsOfOtherBotsAndUnknownMessagesHaveNoEffect() throws Exception {
        Reply reply = reply("one");
        send(reply);

        assertFalse(ledger.record(HOST, "other", new DeliveryReport(reply.replyId() + "-0", "m", "no")));
        assertFalse(ledger.record(HOST, BOT, new DeliveryReport(UUID.randomUUID() + "-0", "m", "no")));
        assertFalse(ledger.record(HOST, BOT, new DeliveryReport("of somebody else", "m", "no")));
        assertFalse(ledger.record(HOST, BOT, new DeliveryReport(reply.replyId() + "-0", "m", null)));
    }

    @Test
    void idsOfDeliveriesAreReadAsTheyAreWritten() {
        UUID reply = UUID.randomUUID();
        for (PieceId piece : List.of(new PieceId(reply, 0), new PieceId(reply, 12), PieceId.file(reply, 3))) {
            assertEquals(Optional.of(piece), PieceId.parse(piece.delivery()));
        }
        assertEquals(reply + "-file-3", PieceId.file(reply, 3).delivery());
        assertEquals(Optional.empty(), PieceId.parse(reply + "-0-1"));
        assertEquals(Optional.empty(), PieceId.parse("z".repeat(36) + "-0"));
    }
}
