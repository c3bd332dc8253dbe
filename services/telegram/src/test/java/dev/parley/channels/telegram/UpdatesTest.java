package dev.parley.channels.telegram;

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
import dev.parley.channels.chat.Event.Feedback;
import dev.parley.channels.chat.Event.Migrated;
import dev.parley.channels.chat.Event.Other;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.Sender;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpdatesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ANN =
            "\"from\":{\"id\":7,\"is_bot\":false,\"first_name\":\"Ann\",\"last_name\":\"Lee\"}";
    private static final String PRIVATE = "\"message_id\":5,\"date\":1,\"chat\":{\"id\":7,\"type\":\"private\"}," + ANN;
    private static final String GROUP =
            "\"message_id\":5,\"date\":1,\"chat\":{\"id\":-100,\"type\":\"supergroup\"}," + ANN;

    private final Updates updates = new Updates("telegram", 42, "parley_bot");

    private Event event(String json) {
        try {
            return updates.event(JSON.readTree(json));
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }

    private ChatMessage message(String message) {
        return assertInstanceOf(ChatMessage.class, event("{\"update_id\":1,\"message\":{" + message + "}}"));
    }

    @Test
    void privateMessageAddressesTheBot() {
        ChatMessage message = message(PRIVATE + ",\"text\":\"hi\"");

        assertEquals("telegram:7", message.address().key("default").session());
        assertEquals("Ann Lee", message.author().name());
        assertEquals("7", message.author().id());
        assertTrue(message.privately() && message.addressed());
        assertEquals("hi", message.text());
        assertNull(message.command());
    }

    @Test
    @Tag("B181")
    void theStopButtonOfADraftNamesTheDraft() {
        Event stop = event("""
                {"update_id":1,"stopped_message_generation":{"chat":{"id":7,"type":"private","first_name":"Ann"},
                 "message_thread_id":3,"draft_id":99}}""");

        assertEquals(
                new Event.Stop(new ConversationAddress("telegram", "7", null), new Sender("7", "Ann"), "draft:99"),
                stop);
    }

    @ParameterizedTest
    @Tag("B188")
    @ValueSource(
            strings = {
                "\"stopped_message_generation\":{}",
                "\"stopped_message_generation\":\"odd\"",
                "\"stopped_message_generation\":{\"chat\":{\"id\":7},\"draft_id\":\"x\"}",
                "\"guild_of_tides\":[7]"
            })
    void whatIsUnknownOrMalformedIsNoEvent(String update) {
        assertInstanceOf(Other.class, event("{\"update_id\":1," + update + "}"));
    }

    @Test
    @Tag("B180")
    void aDraftHasOnePositiveIdPerTurnAndNoWordsBeforeTheFirst() {
        var to = new ConversationAddress("telegram", "7", "3");
        JsonNode first = Drafts.frame(to, new GrowingAnswer(new UUID(1, 2), "", "", List.of()));
        JsonNode next = Drafts.frame(to, new GrowingAnswer(new UUID(1, 2), "**Low** tide", "Reading", List.of()));

        assertEquals("", first.path("text").asText("?"));
        assertFalse(first.has("parse_mode"));
        assertEquals("<b>Low</b> tide\n\nReading", next.path("text").asText());
        assertEquals(first.path("draft_id"), next.path("draft_id"));
        assertEquals(3, next.path("message_thread_id").asInt());
        for (long i = 0; i < 1_000; i++) {
            long id = Drafts.id(new UUID(i * 7_919 - 4_000_000_000L, -i));
            assertTrue(id > 0 && id <= Integer.MAX_VALUE);
        }
    }

    @ParameterizedTest
    @Tag("P44")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            hello                    | -                        | false | - | hello
            @parley_bot hello        | mention,0,11             | true  | - | hello
            @Parley_Bot hello        | mention,0,11             | true  | - | hello
            hello @parley_bot        | mention,6,11             | true  | - | hello @parley_bot
            @parley_bots hello       | mention,0,12             | false | - | @parley_bots hello
            /stop                    | bot_command,0,5          | false | stop | ''
            /stop@parley_bot now     | bot_command,0,16         | true  | stop | now
            /stop@other_bot          | bot_command,0,15         | false | - | /stop@other_bot
            see /stop                | bot_command,4,5          | false | - | see /stop
            short                    | mention,0,900            | false | - | short
            short                    | mention,-5,3             | false | - | short
            """)
    void recognizesGroupMessagesThatAddressTheBot(
            String text, String entity, boolean addressed, String command, String rest) {
        // Given
        String entities = "";
        if (entity != null) {
            String[] parts = entity.split(",");
            entities = ",\"entities\":[{\"type\":\"%s\",\"offset\":%s,\"length\":%s}]"
                    .formatted(parts[0], parts[1], parts[2]);
        }

        // When
        ChatMessage message = message(GROUP + ",\"text\":\"" + text + "\"" + entities);

        // Then
        assertEquals(addressed, message.addressed());
        assertEquals(command, message.command());
        assertEquals(rest, message.text());
        assertFalse(message.privately());
    }

    @Test
    void replyToTheBotAddressesItAndQuotesTheMessage() {
        ChatMessage message = message(
                GROUP
                        + ",\"text\":\"why?\",\"reply_to_message\":{\"message_id\":4,\"from\":{\"id\":42,\"is_bot\":true},\"text\":\"No.\"}");

        assertTrue(message.addressed());
        assertEquals("[in reply to you: \"No.\"]", message.context());
    }

    @Test
    @Tag("P3")
    void onlyForumTopicsAreSeparateConversations() {
        assertEquals(
                "8",
                message(GROUP + ",\"text\":\"a\",\"is_topic_message\":true,\"message_thread_id\":8")
                        .address()
                        .topic());
        assertNull(
                message(GROUP + ",\"text\":\"a\",\"message_thread_id\":8")
                        .address()
                        .topic(),
                "the root of replies");
    }

    @Test
    void anonymousAdminIsIdentifiedAsTheGroup() {
        ChatMessage message = message(
                "\"message_id\":5,\"chat\":{\"id\":-100,\"type\":\"supergroup\"},\"from\":{\"id\":1087968824,\"is_bot\":true},"
                        + "\"sender_chat\":{\"id\":-100,\"title\":\"The group\"},\"text\":\"a\"");

        assertEquals("-100", message.author().id());
        assertFalse(message.bot());
    }

    @ParameterizedTest
    @Tag("P42")
    @CsvSource(delimiter = '|', quoteCharacter = '§', textBlock = """
            "photo":[{"file_id":"s","file_size":1},{"file_id":"l","file_size":9}],"caption":"c" | l | photo.jpg | image/jpeg
            "voice":{"file_id":"v","duration":1,"mime_type":"audio/ogg"} | v | voice.ogg | audio/ogg
            "document":{"file_id":"d","file_name":"a/b\\\\c.csv","mime_type":"text/csv"} | d | a_b_c.csv | text/csv
            "document":{"file_id":"d","mime_type":"<script>"} | d | document | application/octet-stream
            "animation":{"file_id":"a"},"document":{"file_id":"a"} | a | animation.mp4 | video/mp4
            """)
    void readsIdNameAndTypeOfFiles(String fields, String id, String name, String type) {
        ChatMessage message = message(PRIVATE + "," + fields.strip());

        assertEquals(1, message.attachments().size());
        assertEquals(id, message.attachments().getFirst().fileId());
        assertEquals(name, message.attachments().getFirst().name());
        assertEquals(type, message.attachments().getFirst().mimeType());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', textBlock = """
            "location":{"latitude":1.5,"longitude":-2} | [location: 1.5, -2]
            "venue":{"title":"Bar","address":"Here 1","location":{"latitude":1,"longitude":2}},"location":{} | [place: Bar, Here 1, 1, 2]
            "contact":{"first_name":"Bob","phone_number":"+1"} | [contact: Bob, +1]
            "sticker":{"emoji":"🙂"} | [sticker 🙂]
            "dice":{"emoji":"🎲","value":4} | [dice 🎲: 4]
            """)
    void describesOtherContentAsText(String fields, String text) {
        assertEquals(text, message(PRIVATE + "," + fields.strip()).text());
    }

    @Test
    void readsAButtonPress() {
        var pressed = assertInstanceOf(
                ButtonPress.class,
                event("{\"callback_query\":{\"id\":\"q\"," + ANN + ",\"data\":\"model a/b\",\"message\":{" + PRIVATE
                        + "}}}"));

        assertEquals("model a/b", pressed.data());
        assertEquals("7", pressed.author().id());
    }

    private static final String REACTED =
            "\"message_reaction\":{\"chat\":{\"id\":-100,\"type\":\"supergroup\"},\"message_id\":5,\"date\":1";

    private List<String> reactions(String fields) throws JsonProcessingException {
        return updates.events(JSON.readTree("{\"update_id\":1," + REACTED + fields + "}}")).stream()
                .map(event -> event instanceof Feedback feedback
                        ? feedback.author().id() + " " + feedback.address().chat() + "/" + feedback.message() + " "
                                + feedback.emoji() + " " + feedback.opinion()
                        : event.toString())
                .toList();
    }

    @Test
    @Tag("B221")
    void aChangedReactionTakesOneBackAndGivesAnother() throws JsonProcessingException {
        String user = ",\"user\":{\"id\":7,\"is_bot\":false,\"first_name\":\"Ann\"}";
        String thumb = "{\"type\":\"emoji\",\"emoji\":\"👎\"}";
        String custom = "{\"type\":\"custom_emoji\",\"custom_emoji_id\":\"99\"}";

        assertEquals(
                List.of("7 -100/5 👎 WITHDRAWN", "7 -100/5 👍 GOOD"),
                reactions(user + ",\"old_reaction\":[" + thumb + "," + custom + "],\"new_reaction\":[" + custom
                        + ",{\"type\":\"emoji\",\"emoji\":\"👍\"}]"));
        assertEquals(
                List.of("7 -100/5 👎 BAD", "7 -100/5 99 OTHER"),
                reactions(user + ",\"old_reaction\":[],\"new_reaction\":[" + thumb + "," + custom + "]"));
    }

    @ParameterizedTest
    @Tag("B221")
    @ValueSource(
            strings = {
                "",
                ",\"actor_chat\":{\"id\":-100},\"old_reaction\":[],\"new_reaction\":[{\"type\":\"emoji\",\"emoji\":\"👎\"}]",
                ",\"user\":{\"id\":9,\"is_bot\":true},\"new_reaction\":[{\"type\":\"emoji\",\"emoji\":\"👎\"}]",
                ",\"user\":{\"id\":7},\"old_reaction\":7,\"new_reaction\":{}"
            })
    void reactionsOfNobodyAreIgnored(String fields) throws JsonProcessingException {
        assertEquals(List.of(new Other("message_reaction").toString()), reactions(fields));
    }

    @Test
    void recognizesAMigratedGroupFromBothMessages() {
        var moved = new Migrated("telegram", "-5", "-1005");

        assertEquals(
                moved, event("{\"message\":{\"message_id\":1,\"chat\":{\"id\":-5},\"migrate_to_chat_id\":-1005}}"));
        assertEquals(
                moved, event("{\"message\":{\"message_id\":1,\"chat\":{\"id\":-1005},\"migrate_from_chat_id\":-5}}"));
    }

    @ParameterizedTest
    @Tag("P42")
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "7",
                "{\"update_id\":1}",
                "{\"update_id\":1,\"something_new\":{}}",
                "{\"message\":null}",
                "{\"message\":7}",
                "{\"message\":{\"message_id\":\"x\",\"chat\":{\"id\":{}}}}",
                "{\"message\":{\"message_id\":1,\"chat\":{\"id\":5},\"new_chat_members\":[]}}",
                "{\"message\":{\"message_id\":1,\"chat\":{\"id\":5},\"photo\":[],\"entities\":7}}",
                "{\"callback_query\":{}}"
            })
    void ignoresUnreadableUpdates(String json) {
        assertInstanceOf(Other.class, event(json));
    }

    @ParameterizedTest
    @Tag("P44")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            Please summarise this report | text_link,22,6,https://reports.example.org/2026/q3?id=77 \
                | Please summarise this report (https://reports.example.org/2026/q3?id=77)
            👨‍👩‍👧 our plan | text_link,13,4,https://plans.example.org/a_b | 👨‍👩‍👧 our plan (https://plans.example.org/a_b)
            example.org/a | text_link,0,13,https://example.org/a | example.org/a
            bank.example | text_link,0,12,https://phish.example | bank.example (https://phish.example)
            short | text_link,0,900,https://example.org | short
            """)
    void addressBehindWordsIsPartOfTheText(String text, String entity, String expected) {
        String[] parts = entity.split(",");
        String entities = "[{\"type\":\"%s\",\"offset\":%s,\"length\":%s,\"url\":\"%s\"}]"
                .formatted(parts[0], parts[1], parts[2], parts[3]);

        assertEquals(
                expected,
                message(PRIVATE + ",\"text\":\"" + text + "\",\"entities\":" + entities)
                        .text());
        assertEquals(
                expected,
                message(PRIVATE + ",\"photo\":[{\"file_id\":\"P\"}],\"caption\":\"" + text + "\",\"caption_entities\":"
                                + entities)
                        .text());
    }

    @Test
    @Tag("P44")
    void addressesMoveNoMention() {
        ChatMessage message = message(GROUP
                + ",\"text\":\"read this and that @parley_bot\",\"entities\":["
                + "{\"type\":\"mention\",\"offset\":19,\"length\":11},"
                + "{\"type\":\"text_link\",\"offset\":14,\"length\":4,\"url\":\"https://b.example\"},"
                + "{\"type\":\"text_link\",\"offset\":5,\"length\":4,\"url\":\"https://a.example\"}]");

        assertTrue(message.addressed());
        assertEquals("read this (https://a.example) and that (https://b.example) @parley_bot", message.text());
    }

    @Test
    @Tag("P44")
    void richMessageIsReadAsText() {
        ChatMessage message = message(PRIVATE + """
                ,"rich_message":{"blocks":[
                {"type":"heading","size":2,"text":"Shopping"},
                {"type":"paragraph","text":["Please ",{"type":"bold","text":"order"}," these by Friday:"]},
                {"type":"list","items":[
                {"label":"1.","blocks":[{"type":"paragraph","text":"two litres of milk"}]},
                {"label":"2.","blocks":[{"type":"paragraph","text":{"type":"url","text":"rye bread","url":"https://shop.example.org/rye"}}]}]},
                {"type":"table","cells":[[{"text":"a"},{"text":"b"}],[{"text":"1"},{"text":["2","3"]}]]},
                {"type":"details","summary":"more","blocks":[{"type":"paragraph","text":"inside"}]},
                {"type":"mathematical_expression","expression":"x^2"},
                {"type":"photo","caption":{"text":"a cat"}},
                {"type":"map"}]}""");

        assertEquals("""
                ## Shopping
                Please order these by Friday:
                1. two litres of milk
                2. rye bread (https://shop.example.org/rye)
                | a | b |
                | 1 | 23 |
                more
                inside
                x^2
                a cat
                [map]""", message.text());
    }

    @ParameterizedTest
    @Tag("P42")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "checklist":{"title":"Trip","tasks":[{"id":1,"text":"ferry","completion_date":5},{"id":2,"text":"coats","completion_date":0}]} \
                | [checklist: Trip\\n- [x] ferry\\n- [ ] coats]
            "poll":{"question":"Where?","options":[{"text":"Thai"},{"text":"Greek"}]} | [poll: Where?\\n- Thai\\n- Greek]
            "story":{"chat":{"title":"News"},"id":1}    | [a story of News]
            "hologram":{"file_id":"H"}                  | [a message whose content cannot be read here: hologram]
            "rich_message":{"blocks":[{"type":"tesseract"}]} | [tesseract]
            """)
    void contentOfOtherKindsIsNeverDropped(String fields, String text) {
        assertEquals(text.replace("\\n", "\n"), message(PRIVATE + "," + fields).text());
    }

    @ParameterizedTest
    @Tag("P44")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "external_reply":{"origin":{"type":"channel","chat":{"title":"News"}},"message_id":1},"quote":{"text":"It opens"} \
                | [in reply to News: "It opens"]
            "external_reply":{"origin":{"type":"user","sender_user":{"first_name":"Bo"}},"photo":[{"file_id":"P"}]} \
                | [in reply to Bo: "[photo]"]
            "external_reply":{"origin":{"type":"hidden_user","sender_user_name":"Di"},"chat":{"id":1}} \
                | [in reply to a message of Di]
            "reply_to_message":{"message_id":2,"from":{"id":8,"first_name":"Bo"},"photo":[{"file_id":"P"}]} \
                | [in reply to Bo: "[photo]"]
            "reply_to_message":{"message_id":2,"from":{"id":8,"first_name":"Bo"},"document":{"file_id":"D","file_name":"a.pdf"}} \
                | [in reply to Bo: "[file a.pdf]"]
            "reply_to_message":{"message_id":2,"from":{"id":8,"first_name":"Bo"},"poll":{"question":"Where?"}} \
                | [in reply to Bo: "[poll: Where?]"]
            "reply_to_story":{"chat":{"title":"News"},"id":3} | [in reply to a story of News]
            """)
    void replyNamesWhatItAnswers(String fields, String context) {
        assertEquals(context, message(PRIVATE + ",\"text\":\"why?\"," + fields).context());
    }

    @Test
    @Tag("P44")
    void replyToAFileBringsTheFile() {
        String photo = "\"photo\":[{\"file_id\":\"S\"},{\"file_id\":\"L\"}]";
        String answered =
                ",\"reply_to_message\":{\"message_id\":2,\"from\":{\"id\":%d,\"first_name\":\"Bo\"}," + photo + "}";

        assertEquals(
                "L",
                message(PRIVATE + ",\"text\":\"what is this?\"" + answered.formatted(8))
                        .attachments()
                        .getFirst()
                        .fileId());
        assertTrue(message(PRIVATE + ",\"text\":\"thanks\"" + answered.formatted(42))
                .attachments()
                .isEmpty());
    }

    @ParameterizedTest
    @Tag("P42")
    @ValueSource(strings = {"\"new_chat_members\":[{\"id\":1}]", "\"forum_topic_edited\":{}", "\"pinned_message\":{}"})
    void serviceMessagesAreNotTurns(String fields) {
        assertInstanceOf(Other.class, event("{\"update_id\":1,\"message\":{" + PRIVATE + "," + fields + "}}"));
    }

    /** Random malformed updates do not throw. */
    @Test
    @Tag("P42")
    void randomMalformedUpdatesDoNotThrow() throws JsonProcessingException {
        String[] values = {
            "null", "7", "-1", "\"x\"", "[]", "{}", "[7]", "{\"id\":9}", "true", "1e400", "\"\\u202e\\u0000\""
        };
        String[] names = {
            "message",
            "edited_message",
            "callback_query",
            "my_chat_member",
            "chat",
            "id",
            "from",
            "text",
            "entities",
            "photo",
            "voice",
            "reply_to_message",
            "message_id",
            "type",
            "offset",
            "length",
            "new_chat_member",
            "status",
            "data",
            "forward_origin",
            "sender_chat",
            "message_thread_id",
            "is_topic_message",
            "document",
            "file_id",
            "quote",
            "migrate_to_chat_id",
            "venue",
            "rich_message",
            "blocks",
            "items",
            "checklist",
            "tasks",
            "poll",
            "external_reply",
            "origin",
            "url"
        };
        for (long seed = 0; seed < 20_000; seed++) {
            var random = new SplittableRandom(seed);
            JsonNode update = JSON.readTree(object(random, names, values, 4));
            updates.event(update);
        }
    }

    private static String object(SplittableRandom random, String[] names, String[] values, int depth) {
        var json = new StringBuilder("{");
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            String value = depth > 0 && random.nextInt(2) == 0
                    ? object(random, names, values, depth - 1)
                    : values[random.nextInt(values.length)];
            json.append(i == 0 ? "" : ",")
                    .append('"')
                    .append(names[random.nextInt(names.length)])
                    .append("\":")
                    .append(value);
        }
        return json.append('}').toString();
    }
}
