package dev.parley.channels.plugin;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.Rights.Decision;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.Taken;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Outcome.Disposition;
import dev.parley.domain.protocol.Overheard;
import dev.parley.platform.config.bot.BotConfig;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people say in a group, and not to the bot. */
class QuietListeningTest {
    private static final ConversationAddress GROUP = new ConversationAddress("desk", "group", null);
    private static final Instant NOW = Instant.parse("2030-01-01T10:00:00Z");

    @TempDir
    Path folder;

    private PluginFixture parley;
    private final List<ChatMessage> earlier = new ArrayList<>();
    private int asked;

    @BeforeEach
    void begin() {
        parley = new PluginFixture(folder);
    }

    private BotChats chats(Groups groups, boolean listens) {
        BotConfig bot = PluginFixture.bot("folder", Map.of())
                .with()
                .groups(groups)
                .listens(listens)
                .build();
        return parley.bots.bot(bot, parley).chats(new ChatSide() {
            @Override
            public List<ChatMessage> earlier(ChatMessage message, int most) {
                asked++;
                return earlier;
            }
        });
    }

    private static ChatMessage said(String id, String text, boolean addressed) {
        return message(id, text, addressed, false, null);
    }

    private static ChatMessage message(
            String id, String text, boolean addressed, boolean edited, @Nullable String command) {
        return new ChatMessage(
                GROUP,
                false,
                new Sender("bob", "Bob"),
                false,
                addressed,
                command,
                text,
                List.of(),
                null,
                null,
                id,
                edited,
                NOW,
                "en",
                null);
    }

    private void outcome(Outcome outcome) {
        parley.outcome = CompletableFuture.completedFuture(outcome);
    }

    @Test
    @Tag("B242")
    void nothingIsHeardByDefaultInPrivateOrFromBotsAndCommands() throws Exception {
        chats(Groups.MENTION, false).handle(said("1", "hello all", false), "r1", "");
        chats(Groups.OFF, true).handle(said("2", "hello all", false), "r2", "");
        chats(Groups.MENTION, true).handle(message("3", "x", false, false, "start"), "r3", "");

        assertEquals(List.of(), parley.overheard);
        assertEquals(List.of(), parley.messages);
    }

    @Test
    @Tag("B240")
    void whatIsNotForTheBotIsNoTurn() throws Exception {
        // Given
        BotChats chats = chats(Groups.MENTION, true);
        parley.verdict = Decision.FORBIDDEN; // also of people who may not talk to the bot: they do not

        // When
        assertInstanceOf(Taken.Safe.class, chats.handle(said("1", "lunch?", false), "r1", ""));
        assertInstanceOf(Taken.Safe.class, chats.handle(message("1", "dinner?", false, true, null), "r1", "edit7"));
        assertInstanceOf(Taken.Safe.class, chats.handle(new Event.Deleted(GROUP, "1"), "r2", ""));

        // Then
        assertEquals(List.of(), parley.messages);
        assertEquals(
                List.of("lunch?", "dinner?", ""),
                parley.overheard.stream().map(Overheard::text).toList());
        assertEquals(new Overheard("1", "Bob", "lunch?", NOW), parley.overheard.getFirst());
        assertEquals("1", parley.overheard.getLast().reference());
    }

    @Test
    @Tag("B242")
    void theGroupIsToldOnceWhenTheBotBeginsToListen() throws Exception {
        // Given a group in which nobody has spoken to the bot
        BotChats chats = chats(Groups.MENTION, true);
        outcome(new Outcome.Refused(PluginFixture.KEY, UUID.randomUUID(), "unknown_session", "no session"));
        chats.handle(said("1", "one", false), "r1", "");
        assertEquals(List.of(), parley.answers);

        // When somebody has
        outcome(new Outcome.Accepted(
                PluginFixture.KEY, UUID.randomUUID(), UUID.randomUUID(), null, null, Disposition.DONE, 0));
        chats.handle(said("2", "two", false), "r2", "");
        chats.handle(said("3", "three", false), "r3", "");

        // Then
        await().until(() -> !parley.answers.isEmpty());
        assertEquals(1, parley.answers.size());
        assertTrue(parley.answers.getFirst().contains("read along"), parley.answers.toString());
    }

    @Test
    @Tag("B241")
    void aFloodIsDroppedAtTheBorder() throws Exception {
        // Given
        BotChats chats = chats(Groups.MENTION, true);

        // When
        for (int i = 0; i < 1_000; i++) {
            assertInstanceOf(Taken.Safe.class, chats.handle(said("m" + i, "spam", false), "r" + i, ""));
        }

        // Then
        assertTrue(parley.overheard.size() <= 240, "two minutes at most, not " + parley.overheard.size());
        assertTrue(parley.meters
                        .counter("parley_channel_overheard_dropped", "bot", "desk")
                        .count()
                >= 760);
    }

    @Test
    @Tag("B265")
    void whatPeopleTakeBackIsHeardAlsoInAFlood() throws Exception {
        // Given
        BotChats chats = chats(Groups.MENTION, true);
        chats.handle(said("1", "my password is hunter2", false), "r1", "");
        chats.handle(said("2", "and mine is 1234", false), "r2", "");
        for (int i = 0; i < 1_000; i++) {
            chats.handle(said("m" + i, "spam", false), "s" + i, "");
        }

        // When
        chats.handle(new Event.Deleted(GROUP, "1"), "r3", "");
        chats.handle(message("2", "", false, true, null), "r2", "edit1");

        // Then
        assertEquals(
                List.of("1", "2"),
                parley.overheard.stream()
                        .filter(Overheard::isDeleted)
                        .map(Overheard::reference)
                        .toList());
    }

    @Test
    @Tag("B240")
    void whatCameBeforeTheFirstMentionIsAskedOfThePlatformOnce() throws Exception {
        // Given
        BotChats chats = chats(Groups.MENTION, true);
        earlier.add(said("1", "the build is red", false));
        earlier.add(said("2", "what do you think?", true)); // the mention itself

        // When
        chats.handle(said("2", "what do you think?", true), "r2", "");
        chats.handle(said("3", "and now?", true), "r3", "");

        // Then
        assertEquals(1, asked);
        assertEquals(
                List.of(new Overheard("1", "Bob", "the build is red", NOW)),
                parley.messages.getFirst().earlier());
        assertEquals(List.of(), parley.messages.getLast().earlier());
    }
}
