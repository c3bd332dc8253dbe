package dev.parley.channels.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChannelBot.Command;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.InboundMessage;
import dev.parley.channels.contract.InboundMessage.Attachment;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Intake.UnavailableException.Reason;
import dev.parley.channels.contract.MissingSecretException;
import dev.parley.channels.contract.Rights.Decision;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.Taken;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Outcome.Disposition;
import dev.parley.domain.protocol.TurnCommand.CancelTurn;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.http.network.Network;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of a plug-in's channel are validated, and the plug-in gets their outcome. */
class PluginBotTest {
    private static final ConversationAddress AT = new ConversationAddress("desk", "c", null);
    private static final Sender ANN = new Sender("ann", "Ann");

    @TempDir
    Path folder;

    private PluginFixture parley;
    private ChannelBot bot;

    @BeforeEach
    void begin() {
        parley = new PluginFixture(folder);
        parley.outcome.complete(new Outcome.Accepted(
                PluginFixture.KEY, UUID.randomUUID(), UUID.randomUUID(), null, 1L, Disposition.STARTED, 0));
        bot = parley.bots.bot(PluginFixture.bot("folder", Map.of("signing", "env:OTHER", "port", "7")), parley);
    }

    private static InboundMessage message(ConversationAddress address, String id, Sender sender, String text) {
        return new InboundMessage(address, id, sender, text);
    }

    private Taken take(String text) throws InterruptedException {
        return bot.take(message(AT, "1", ANN, text));
    }

    private static void assertRefused(String code, Taken result) {
        assertEquals(code, assertInstanceOf(Taken.Refused.class, result).code());
    }

    @Test
    void submitsAMessageAsTheBot() throws Exception {
        // Given
        var file = new Attachment("a.txt", "text/plain", new byte[] {1, 2});

        // When
        Taken result = bot.take(new InboundMessage(
                AT,
                "1",
                new Sender("ann", "Ann\u0007 " + "x".repeat(300), UUID.randomUUID()),
                "hi",
                List.of(file),
                true));

        // Then
        assertInstanceOf(Taken.Safe.class, result);
        var incoming = parley.messages.getFirst();
        assertEquals("folder", incoming.channel());
        assertEquals("1", incoming.reference());
        assertEquals("1", incoming.messageRef());
        assertTrue(incoming.shared());
        assertNull(incoming.sender().account(), "whose account somebody is, a channel does not say");
        assertEquals(201, incoming.sender().name().length());
        assertFalse(incoming.sender().name().contains("\u0007"));
        assertEquals(Block.text("hi"), incoming.content().getFirst());
        assertEquals(
                2,
                assertInstanceOf(Block.File.class, incoming.content().getLast()).size());
        assertEquals(
                1,
                parley.meters
                        .counter("parley_channel_updates", "bot", "desk", "kind", "message")
                        .count());
    }

    @ParameterizedTest
    @CsvSource({
        "other, c,   ,  1,  ann, invalid_field",
        "desk,  c:d, ,  1,  ann, invalid_field",
        "desk,  c,   a/b, 1, ann, invalid_field",
        "desk,  c,   ,  a b, ann, invalid_field",
        "desk,  c,   ,  1,  a b, invalid_field"
    })
    void rejectsAnInvalidMessage(String botName, String chat, String topic, String id, String user, String code)
            throws Exception {
        Taken result =
                bot.take(message(new ConversationAddress(botName, chat, topic), id, new Sender(user, "x"), "hi"));

        assertRefused(code, result);
        assertEquals(List.of(), parley.messages);
    }

    @Test
    void limitsTextsAndFiles() throws Exception {
        // Given
        var small = new Attachment("a", "text/plain", new byte[0]);

        // Then
        assertRefused("too_large", take("x".repeat((1 << 20) + 1)));
        assertRefused("invalid_text", take("\ud800"));
        assertRefused(
                "invalid_part",
                bot.take(new InboundMessage(
                        AT, "1", ANN, "", List.of(new Attachment("a", "nonsense", new byte[0])), false)));
        assertRefused(
                "too_large",
                bot.take(new InboundMessage(
                        AT, "1", ANN, "", List.of(new Attachment("a", "text/plain", new byte[2 << 20])), false)));
        assertRefused(
                "too_many_parts",
                bot.take(new InboundMessage(AT, "1", ANN, "", Collections.nCopies(65, small), false)));
    }

    @Test
    void rejectsMessagesAndCommandsWithoutTheRight() throws Exception {
        parley.verdict = Decision.STRANGER;
        assertRefused("not_allowed", take("hi"));
        assertRefused("not_allowed", bot.command(AT, "2", ANN, Command.STOP));
        parley.verdict = Decision.ARCHIVED;
        assertRefused("project_archived", take("hi"));

        assertEquals(List.of(), parley.messages);
        assertEquals(List.of(), parley.commands);
        assertEquals(
                3,
                parley.meters.counter("parley_channel_refused", "bot", "desk").count());
    }

    @Test
    void reportsAMessageThatIsNotDurable() throws Exception {
        parley.unavailable = new UnavailableException("Kafka is away");
        assertEquals(new Taken.NotSafe("Kafka is away"), take("hi"));

        parley.unavailable = new UnavailableException(Reason.TOO_LARGE, "too large");
        assertRefused("too_large", take("hi"));

        parley.unavailable = null;
        parley.problem = "there is no project";
        assertEquals(new Taken.NotSafe("there is no project"), take("hi"));
    }

    @Test
    void reportsTheRejectionOfTheSession() throws Exception {
        parley.outcome = new CompletableFuture<>();
        parley.outcome.complete(new Outcome.Refused(PluginFixture.KEY, UUID.randomUUID(), "queue_full", "no room"));

        assertEquals(new Taken.Refused("queue_full", "no room"), take("hi"));
        assertEquals(new Taken.Refused("queue_full", "no room"), bot.command(AT, "2", ANN, Command.UNDO));
    }

    @Test
    void commandsNeedTheirCapability() throws Exception {
        assertInstanceOf(Taken.Safe.class, bot.command(AT, "2", ANN, Command.STOP));
        assertEquals(Capability.SESSION_SEND, parley.needed);
        assertInstanceOf(CancelTurn.class, parley.commands.getLast());

        assertInstanceOf(Taken.Safe.class, bot.command(AT, "3", ANN, Command.FORGET));
        assertEquals(Capability.MEMORY_WRITE, parley.needed);
        assertInstanceOf(ResetContext.class, parley.commands.getLast());

        parley.outcome = new CompletableFuture<>();
        parley.outcome.complete(new Outcome.Refused(PluginFixture.KEY, UUID.randomUUID(), "unknown_session", "none"));
        assertInstanceOf(Taken.Safe.class, bot.command(AT, "4", ANN, Command.NEW), "the next message begins one");
        assertRefused("unknown_session", bot.command(AT, "5", ANN, Command.UNDO));
    }

    @Test
    void botAnswersInItsOwnConversationsOnly() throws Exception {
        assertInstanceOf(Taken.Safe.class, bot.answer(AT, "1", "welcome"));
        assertRefused("invalid_field", bot.answer(new ConversationAddress("other", "c", null), "1", "welcome"));

        assertEquals(List.of("welcome"), parley.answers);
    }

    @Test
    void readsConfiguredSecretsOnly() {
        assertEquals("t0ken", bot.token());
        assertEquals("0ther", bot.secret("signing"));
        assertThrows(MissingSecretException.class, () -> bot.secret("port"));
        assertThrows(MissingSecretException.class, () -> bot.secret("nothing"));
    }

    @Test
    @Tag("B172")
    void aBotSaysWhereItsSecretsComeFromAndWhoMayPostToIt() {
        // Given
        BotConfig config = PluginFixture.bot("folder", Map.of("signing", "env:OTHER"))
                .withWebhook(URI.create("https://parley.example"))
                .withWebhookSecret("env:GONE")
                .withWebhookFrom(List.of(Network.of("149.154.160.0/20")));

        // When
        var bot = parley.bots.bot(config, parley);

        // Then
        assertEquals(Optional.of("env:TOKEN"), bot.reference("token"));
        assertEquals(Optional.of("env:OTHER"), bot.reference("signing"));
        assertEquals(Optional.of("env:GONE"), bot.reference("webhookSecret"));
        assertEquals(Optional.empty(), bot.reference("port"));
        var missing = assertThrows(MissingSecretException.class, () -> bot.secret("webhookSecret"));
        assertTrue(String.valueOf(missing.getMessage()).contains("env:GONE"), missing::getMessage);
        assertEquals(Optional.of(URI.create("https://parley.example")), bot.publicUrl());
        assertTrue(bot.accepts("149.154.160.7"));
        assertFalse(bot.accepts("10.0.0.1"));
        assertFalse(bot.accepts("::1"));
        var help = bot.commands().getFirst();
        assertEquals("help", help.name());
        assertNotEquals(help.description("de"), help.description("en"));
        assertEquals(help.description(""), help.description("en"));
    }
}
