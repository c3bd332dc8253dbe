package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Other;
import dev.parley.channels.contract.Sender;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiscordEventsTest {
    private static final String ME = "200000000000000001";
    private static final String ANN = "400000000000000001";

    private final DiscordEvents events = new DiscordEvents("discord", ME);

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private Event read(String chat, String content, String fields) {
        return events.message(
                json("{'id':'900000000000000001','type':0,'content':'%s','timestamp':'2026-11-27T12:00:00+00:00',"
                                .formatted(content)
                        + "'author':{'id':'%s','username':'ann','global_name':'Ann'}%s}".formatted(ANN, fields)),
                chat,
                false);
    }

    private ChatMessage message(String chat, String content, String fields) {
        return assertInstanceOf(ChatMessage.class, read(chat, content, fields));
    }

    @Test
    void privateMessageAddressesTheBot() {
        ChatMessage message = message("@" + ANN, "hello", "");

        assertTrue(message.privately() && message.addressed());
        assertEquals("@" + ANN, message.address().chat());
        assertEquals(new Sender(ANN, "Ann"), message.author());
        assertEquals("hello", message.text());
        assertEquals("900000000000000001", message.id());
        assertEquals("2026-11-27T12:00:00Z", String.valueOf(message.sentAt()));
        assertNull(message.command());
    }

    @Test
    void mentionInAGuildAddressesTheBot() {
        assertFalse(message("55", "hello", "").addressed());
        ChatMessage message = message("55", "<@" + ME + "> hello", "");
        assertTrue(message.addressed());
        assertFalse(message.privately());
        assertEquals("hello", message.text());
    }

    @Test
    void replyToTheBotInAGuildAddressesIt() {
        String answered = "'referenced_message':{'id':'1234567','content':'What else?','author':{'id':'%s'}}";
        ChatMessage message = message("55", "nothing", "," + answered.formatted(ME));
        assertTrue(message.addressed());
        assertEquals("1234567", message.repliesTo());
        assertEquals("[in reply to you: \"What else?\"]", message.context());

        ChatMessage other = message("55", "nothing", "," + answered.formatted("7000000"));
        assertFalse(other.addressed());
        assertNull(other.repliesTo());
    }

    @Test
    void readsSlashCommands() {
        assertEquals("new", message("@" + ANN, "/new", "").command());
        ChatMessage model = message("55", "<@!" + ME + ">  /Model gpt x", "");
        assertEquals("model", model.command());
        assertEquals("gpt x", model.text());
        assertNull(message("@" + ANN, "/usr/bin is a folder", "").command());
    }

    @Test
    void replacesMentionsAndEmojiByNames() {
        String mentions = ",'mentions':[{'id':'8000000','username':'bob','member':{'nick':'Bobby'}}]";
        assertEquals(
                "ask @Bobby :smile:",
                message("@" + ANN, "ask <@8000000> <:smile:123456>", mentions).text());
    }

    @Test
    void usesTheNicknameOfTheGuild() {
        assertEquals(
                "Annie",
                message("55", "x", ",'member':{'nick':'Annie'}").author().name());
    }

    @Test
    void readsAttachments() {
        String file =
                "{'url':'https://cdn.discordapp.com/a/b.png','filename':'../b.png','content_type':'image/png; x=y','size':7}";
        ChatMessage message = message("@" + ANN, "", ",'attachments':[%s]".formatted(file));
        var attachment = message.attachments().getFirst();
        assertEquals(".._b.png", attachment.name());
        assertEquals("image/png", attachment.mimeType());
        assertEquals(7, attachment.size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",'webhook_id':'5'",
                ",'author':{'id':'7000000','bot':true}",
                ",'author':{'id':'7000000','system':true}"
            })
    void recognizesOtherBots(String fields) {
        assertTrue(message("55", "hello", fields).bot());
    }

    @Test
    void ignoresItsOwnMessages() {
        assertEquals(new Other("echo"), read("55", "hello", ",'author':{'id':'%s'}".formatted(ME)));
    }

    @Test
    void ignoresServiceEmptyAndUnreadableMessages() {
        assertEquals(new Other("service"), read("55", "pinned", ",'type':6"));
        assertEquals(new Other("empty"), read("55", "", ""));
        assertEquals(new Other("unreadable"), events.message(json("{}"), "55", false));
        assertEquals(new Other("unreadable"), events.message(json("{'id':'x','author':{'id':{}}}"), "55", false));
    }

    @ParameterizedTest
    @Tag("P42")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            'sticker_items':[{'id':'1','name':'wave'}]     | [sticker wave]
            'poll':{'question':{'text':'Where?'},'answers':[{'poll_media':{'text':'Thai'}},{'poll_media':{'text':'Greek'}}]} \
                                                           | [poll: Where?\\n- Thai\\n- Greek]
            'components':[{'type':99}]                     | [a message whose content cannot be read here]
            """)
    void privateMessageWithoutATextIsNotDropped(String fields, String text) {
        assertEquals(
                text.replace("\\n", "\n"), message("@" + ANN, "", "," + fields).text());
    }

    @ParameterizedTest
    @Tag("P44")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {'content':'The pump stops'}                              | [forwarded] The pump stops
            {'content':'','embeds':[{'title':'Pump','description':'It stops'}]} | [forwarded] Pump\\nIt stops
            {'content':'','attachments':[{'url':'https://cdn.discordapp.com/a','filename':'a.png'}]} | [forwarded] [file a.png]
            {'content':'','sticker_items':[{'name':'wave'}]}          | [forwarded] [sticker wave]
            {'content':''}                                            | [forwarded] [a message whose content cannot be read here]
            """)
    void forwardedMessageIsPartOfTheTurn(String original, String context) {
        ChatMessage message = message(
                "@" + ANN, "", ",'message_reference':{'type':1},'message_snapshots':[{'message':" + original + "}]");

        assertEquals("", message.text());
        assertEquals(context.replace("\\n", "\n"), message.context());
        assertEquals(original.contains("attachments"), !message.attachments().isEmpty());
    }

    @Test
    @Tag("P44")
    void replyToAFileBringsTheFile() {
        ChatMessage message = message(
                "@" + ANN,
                "what is it?",
                ",'referenced_message':{'author':{'id':'5','username':'bo'},"
                        + "'content':'','attachments':[{'url':'https://cdn.discordapp.com/a','filename':'a.png'}]}");

        assertEquals("[in reply to bo: \"[file a.png]\"]", message.context());
        assertEquals("a.png", message.attachments().getFirst().name());
    }

    @Test
    void readsAButtonPress() {
        Event event = events.interaction(
                json("{'id':'5000001','type':3,'token':'t','data':{'custom_id':'abc'},'message':{'id':'6000001'},"
                        + "'member':{'user':{'id':'%s','username':'ann'}},'locale':'de'}".formatted(ANN)),
                "55");
        ButtonPress pressed = assertInstanceOf(ButtonPress.class, event);
        assertEquals("5000001", pressed.query());
        assertEquals("abc", pressed.data());
        assertEquals("6000001", pressed.message());
        assertEquals(ANN, pressed.author().id());
        assertEquals("de", pressed.language());
    }

    @Test
    void readsAMenuCommand() {
        Event event = events.interaction(
                json(
                        "{'id':'5000001','type':2,'token':'t','data':{'name':'model','options':[{'name':'name','value':' gpt '}]},"
                                + "'user':{'id':'%s','username':'ann'}}".formatted(ANN)),
                "@" + ANN);
        ChatMessage message = assertInstanceOf(ChatMessage.class, event);
        assertEquals("model", message.command());
        assertEquals("gpt", message.text());
        assertTrue(message.addressed() && message.privately());
    }
}
