package dev.parley.channels.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.ChatForm;
import dev.parley.channels.chat.ChatForm.Bounds;
import dev.parley.channels.chat.ChatForm.Field;
import dev.parley.channels.chat.ChatForm.Kind;
import dev.parley.channels.chat.ChatForm.Option;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Sender;
import dev.parley.platform.testkit.slack.FakeSlack;
import dev.parley.platform.testkit.slack.SlackChat;
import dev.parley.platform.testkit.slack.SlackMessage;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms against a fake Slack that opens what Slack opens. */
class SlackFormsTest {
    private SlackFixture fixture;
    private FakeSlack slack;
    private SlackEventHandler handler;
    private SlackChat chat;

    @BeforeEach
    void start() throws IOException {
        fixture = new SlackFixture();
        slack = fixture.slack();
        handler = fixture.handler();
        chat = slack.direct(slack.user("Ann", "en-US"));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private ButtonPress press() {
        var message = new SlackMessage(chat.id(), "1.2", "1.1", null, 0);
        JsonNode payload = chat.press(message, "signed");
        return new ButtonPress(
                new ConversationAddress("slack", chat.user(), "1.1"),
                new Sender(chat.user(), "Ann"),
                payload.path("trigger_id").asText(),
                "signed",
                "1.2",
                null);
    }

    private static Field field(String name, Kind kind, Option... choices) {
        return new Field(name, "", "", kind, List.of(choices), true, List.of(), Bounds.NONE);
    }

    private static ChatForm form(List<Field> fields) {
        return new ChatForm(
                "What the lock keeper has to know about it", "Why? ".repeat(900), "Send it away now, please", fields);
    }

    @Test
    @Tag("B251")
    void everyKindOfFieldIsShownWithinTheLimitsOfAModal() throws Exception {
        // Given
        String longText = "long ".repeat(1_000);
        Option[] hundred = IntStream.range(0, 100)
                .mapToObj(i -> new Option("v".repeat(145) + i, longText))
                .toArray(Option[]::new);
        var wide = new Bounds(BigDecimal.valueOf(-5), new BigDecimal("99999.5"));
        var fields = new ArrayList<Field>();
        for (Kind kind : Kind.values()) {
            boolean isChoice = kind == Kind.CHOICE || kind == Kind.CHOICES;
            fields.add(new Field(
                    "n".repeat(240) + kind,
                    longText,
                    longText,
                    kind,
                    isChoice ? List.of(hundred) : List.of(),
                    true,
                    List.of(longText),
                    wide));
        }

        // Then
        assertTrue(handler.showForm(press(), form(fields), "signed"));
        assertEquals(Kind.values().length + 1, slack.views().getFirst().path("blocks").size());
    }

    @Test
    @Tag("B251")
    void whatAModalCannotShowIsNotTried() throws Exception {
        var fields = IntStream.range(0, 100)
                .mapToObj(i -> field("f" + i, Kind.TEXT))
                .toList();

        assertFalse(handler.showForm(press(), form(fields), "signed"), "too many fields");
        assertFalse(handler.showForm(press(), form(List.of(field("", Kind.TEXT))), "signed"), "no name");
        assertFalse(handler.showForm(press(), form(List.of(field("a", Kind.CHOICE))), "signed"), "no choices");
        assertEquals(List.of(), slack.calls("views.open"));
    }

    @ParameterizedTest
    @Tag("B251")
    @ValueSource(strings = {"expired_trigger_id", "exchanged_trigger_id", "invalid_arguments", "ratelimited"})
    void aFormThatSlackDoesNotOpenIsAskedInWords(String error) throws Exception {
        slack.failNext("views.open", 1, 200, error, null);

        assertFalse(handler.showForm(press(), form(List.of(field("a", Kind.TEXT))), "signed"));
    }

    @Test
    @Tag("B251")
    void aTriggerOpensOneForm() throws Exception {
        ButtonPress press = press();

        assertTrue(handler.showForm(press, form(List.of(field("a", Kind.TEXT))), "signed"));
        assertFalse(handler.showForm(press, form(List.of(field("a", Kind.TEXT))), "signed"));
        assertEquals(1, slack.views().size());
    }

    @Test
    @Tag("B252")
    void aRefusalReachesAPersonWhoseChatTheBotHasNotSeenYet() throws Exception {
        handler.acknowledge(press(), "This is not yours to decide.");

        JsonNode told = slack.calls("chat.postEphemeral").getFirst().params();
        assertEquals(chat.id(), told.path("channel").asText());
        assertEquals(chat.user(), told.path("user").asText());
    }
}
