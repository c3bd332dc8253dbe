package dev.parley.channels.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.BotChats.Received;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.NotThereException;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Rights.Decision;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.Taken;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Reminder.QuietHours;
import dev.parley.domain.protocol.Reminder;
import dev.parley.domain.protocol.TurnCommand.CancelReminder;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plug-in's channel has what Parley's own chat platforms have. */
class PluginChatsTest {
    private static final ConversationAddress AT = new ConversationAddress("desk", "c", null);
    private static final Attachment FILE = new Attachment("f1", "a.txt", "text/plain", 2);

    @TempDir
    Path folder;

    private final List<String> notices = new ArrayList<>();
    private final List<String> fetched = Collections.synchronizedList(new ArrayList<>());
    private PluginFixture parley;
    private BotChats chats;

    @BeforeEach
    void begin() {
        parley = new PluginFixture(folder);
        chats = parley.bots.bot(PluginFixture.bot("folder", Map.of()), parley).chats(new ChatSide() {
            @Override
            public byte[] bytes(Attachment attachment, int limit) throws NotThereException {
                fetched.add(attachment.fileId());
                if (attachment.fileId().equals("away")) {
                    throw new NotThereException("away", true);
                }
                return new byte[] {1, 2};
            }

            @Override
            public void acknowledge(ButtonPress press, String notice) {
                notices.add(notice);
            }
        });
    }

    private static ChatMessage message(
            ConversationAddress at, @Nullable String command, String text, List<Attachment> files) {
        var ann = new Sender("ann", "Ann", UUID.randomUUID());
        return new ChatMessage(
                at, true, ann, false, true, command, text, files, null, null, "m1", false, null, "en", null);
    }

    private Taken handle(Event event) throws InterruptedException {
        return chats.handle(event, "r1", "");
    }

    @Test
    void aMessageWithAFileBecomesATurnOfAPersonWithoutAClaimedAccount() throws Exception {
        assertInstanceOf(Taken.Safe.class, handle(message(AT, null, "hi", List.of(FILE))));

        var incoming = parley.messages.getFirst();
        assertEquals(Block.text("hi"), incoming.content().getFirst());
        assertEquals(
                2,
                assertInstanceOf(Block.File.class, incoming.content().getLast()).size());
        assertEquals("r1", incoming.reference());
        assertNull(incoming.sender().account());
    }

    @Test
    void commandsAreExecutedAndAnsweredInTheLanguageOfTheirUser() throws Exception {
        assertInstanceOf(Taken.Safe.class, handle(message(AT, "new", "", List.of())));
        assertInstanceOf(ResetContext.class, parley.commands.getFirst());

        assertInstanceOf(Taken.Safe.class, handle(message(AT, "nonsense", "", List.of())));
        assertTrue(parley.answers.getLast().contains("nonsense"), parley.answers.toString());
        assertEquals(List.of(), parley.messages);
    }

    @Test
    void anAccountIsLinkedByItsCode() throws Exception {
        assertInstanceOf(Taken.Safe.class, handle(message(AT, "link", "CODE", List.of())));

        assertTrue(parley.answers.getLast().contains("Ann"), parley.answers.toString());
    }

    @Test
    void onlySignedButtonsCount() throws Exception {
        // Given
        String data = chats.buttons().data("c", new Choice("New", "new", ""));
        var ann = new Sender("ann", "Ann");

        // Then
        handle(new ButtonPress(AT, ann, "q1", "forged" + data, "m1", "en"));
        assertEquals(List.of(), parley.commands);
        handle(new ButtonPress(AT, ann, "q2", data, "m1", "en"));
        assertEquals(1, parley.commands.size());
        assertEquals(2, notices.size());
    }

    @Test
    void whatIsNotStoredIsHandledAgain() throws Exception {
        assertInstanceOf(
                Taken.NotSafe.class,
                handle(message(AT, null, "", List.of(new Attachment("away", "a", "text/plain", 1)))));
        parley.unavailable = new UnavailableException("Kafka is away");
        assertInstanceOf(Taken.NotSafe.class, handle(message(AT, null, "hi", List.of())));
        parley.problem = "there is no project";
        assertEquals(new Taken.NotSafe("there is no project"), handle(new Event.Other("poll")));
    }

    @Test
    void aBotIsConfinedToItsOwnChats() throws Exception {
        var other = new ConversationAddress("other", "c", null);

        assertInstanceOf(Taken.Refused.class, handle(message(other, null, "hi", List.of())));
        assertInstanceOf(Taken.Refused.class, handle(new Event.Membership(other, false)));
        assertInstanceOf(Taken.Safe.class, handle(new Event.Membership(AT, false)));
        assertEquals(Map.of("c", false), parley.writable);
    }

    @Test
    @Tag("B172")
    void filesOfAnAlbumAreFetchedTogetherForPeopleWhoMaySendThem() throws Exception {
        // Given
        List<Received> album = List.of(part("m1", "f1"), part("m2", "f2"), part("m3", "away"));

        // Then
        assertInstanceOf(Taken.NotSafe.class, chats.handle(album));
        assertEquals(Set.of("f1", "f2", "away"), Set.copyOf(fetched));
        assertEquals(3, fetched.size(), "what was fetched ahead is used");
        assertEquals(2, parley.messages.size());

        // Given
        fetched.clear();
        parley.verdict = Decision.STRANGER;

        // Then
        assertInstanceOf(Taken.Safe.class, chats.handle(album));
        assertEquals(List.of(), fetched);
    }

    private static Received part(String id, String file) {
        var ann = new Sender("ann", "Ann");
        var message = new ChatMessage(
                AT,
                true,
                ann,
                false,
                true,
                null,
                "",
                List.of(new Attachment(file, file, "text/plain", 2)),
                "album",
                null,
                id,
                false,
                null,
                "en",
                null);
        return new Received(message, id, "");
    }

    @Test
    @Tag("B172")
    void aMalformedEventIsSkippedAndThoseBesideItAreHandled() throws Exception {
        var other = new ConversationAddress("other", "c", null);

        Taken taken = chats.handle(List.of(
                new Received(message(other, null, "hi", List.of()), "r1", ""),
                new Received(message(AT, null, "hi", List.of()), "r2", "")));

        assertInstanceOf(Taken.Refused.class, taken);
        assertEquals("r2", parley.messages.getFirst().reference());
        assertEquals(
                1, parley.meters.counter("parley_channel_failed", "bot", "desk").count());
    }

    @Test
    @Tag("B172")
    void aChannelStoresWhatItSawAndMovesItsOwnChatsOnly() {
        chats.seen().record("c", "17");
        chats.move("c", "d");

        assertEquals(Map.of("desk c", "17"), parley.seen);
        assertEquals(List.of("desk c d"), parley.moved);
        assertThrows(RuntimeException.class, () -> chats.seen().record("a:b", "17"));
        assertThrows(RuntimeException.class, () -> chats.move("c", "a/b"));
    }

    @Test
    void aPayloadThatCannotBeReadBecomesAnEventOfNothing() {
        assertEquals(new Event.Other("unreadable"), chats.read(() -> {
            throw new IllegalStateException("nonsense");
        }));
    }

    @Test
    @Tag("B228")
    void remindersOfTheSenderAreListedAndCancelledByNumber() throws Exception {
        // Given
        var ann = new Sender("ann", "Ann");
        Instant due = Instant.parse("2030-01-01T09:00:00Z");
        var id = UUID.randomUUID();
        var own = new Reminder(id, "tea", false, "folder:ann", due, due, "0 9 * * *", "UTC", null, due);
        var quiet = new QuietHours("folder:ann", "22:00", "07:00", "UTC");
        parley.outcome.complete(new Outcome.RemindersListed(
                RecordKey.of("desk:c"),
                id,
                List.of(own.withUser("folder:bob").withId(UUID.randomUUID()), own),
                List.of(quiet),
                "Europe/Berlin"));

        // When
        for (String argument : List.of("", "cancel 1", "quiet 21:30-06:00", "quiet never")) {
            chats.handle(
                    new ChatMessage(
                            AT,
                            true,
                            ann,
                            false,
                            true,
                            "reminders",
                            argument,
                            List.of(),
                            null,
                            null,
                            "m1",
                            false,
                            null,
                            "en",
                            null),
                    "r" + parley.answers.size(),
                    "");
        }

        // Then
        assertEquals(
                List.of(
                        "1. 2030-01-01 09:00 UTC ↻ – tea\nQuiet hours: 22:00-07:00 UTC",
                        "Cancelled.",
                        "Quiet hours: 21:30-06:00 Europe/Berlin"),
                parley.answers.subList(0, 3));
        assertTrue(parley.answers.getLast().startsWith("/reminders lists"), parley.answers.toString());
        assertEquals(
                List.of(id),
                parley.commands.stream()
                        .filter(CancelReminder.class::isInstance)
                        .map(command -> ((CancelReminder) command).reminder())
                        .toList());
    }
}
