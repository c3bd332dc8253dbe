package dev.parley.channels.whatsapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.contract.DeliveryReport;
import dev.parley.channels.contract.Sender;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotificationTest {
    private static final String NUMBER = "106540352242922";
    private static final String USER = "US.13491208655302741918";

    private static Notification read(String messages, String statuses) {
        String payload = """
                {"object": "whatsapp_business_account", "entry": [{"id": "102290129340398", "changes": [
                  {"field": "account_update", "value": {"event": "x"}},
                  {"field": "messages", "value": {
                    "metadata": {"display_phone_number": "15550783881", "phone_number_id": "%s"},
                    "contacts": [{"profile": {"name": "Sheena Nelson", "username": "@sheena"}, "wa_id": "16505551234",
                      "user_id": "%s"}],
                    "messages": [%s], "statuses": [%s]}}]}]}
                """.formatted(NUMBER, USER, messages, statuses);
        return Notification.read(json(payload), NUMBER);
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static Event event(String fields) {
        return read("""
                        {"from": "16505551234", "from_user_id": "%s", "id": "wamid.A==", "timestamp": "1739321024", %s}
                        """.formatted(USER, fields), "").messages().getFirst().event("wa");
    }

    private static ChatMessage message(String fields) {
        return assertInstanceOf(ChatMessage.class, event(fields));
    }

    private static String text(String type, String content) {
        return message("\"type\": \"%s\", \"%s\": %s".formatted(type, type, content))
                .text();
    }

    @Test
    @Tag("B201")
    void aTextIsAMessageOfThePerson() {
        ChatMessage message = message("\"type\": \"text\", \"text\": {\"body\": \"hello\"}");

        assertEquals(USER, message.address().chat());
        assertEquals(new Sender(USER, "Sheena Nelson"), message.author());
        assertEquals("hello", message.text());
        assertEquals("wamid.A==", message.id());
        assertEquals(Instant.ofEpochSecond(1_739_321_024), message.sentAt());
        assertTrue(message.privately());
        assertNull(message.command());
        assertNull(message.repliesTo());
    }

    @Test
    @Tag("B203")
    void aPersonIsKeyedByTheUserIdEvenWithoutAPhoneNumber() {
        Notification hidden = read(
                "{\"from_user_id\": \"" + USER
                        + "\", \"id\": \"wamid.B\", \"type\": \"text\", \"text\": {\"body\": \"x\"}}",
                "");
        Notification old = read(
                "{\"from\": \"16505551234\", \"id\": \"wamid.C\", \"type\": \"text\", \"text\": {\"body\": \"x\"}}",
                "");

        assertEquals(USER, hidden.messages().getFirst().chat());
        assertEquals("16505551234", old.messages().getFirst().chat());
    }

    @Test
    @Tag("B202")
    void commandsAreRead() {
        ChatMessage message = message("\"type\": \"text\", \"text\": {\"body\": \"/Model  gpt-5 \"}");

        assertEquals("model", message.command());
        assertEquals("gpt-5", message.text());
        assertNull(message("\"type\": \"text\", \"text\": {\"body\": \"/usr/bin is full\"}")
                .command());
    }

    @ParameterizedTest
    @Tag("B202")
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            location    | {"latitude": 37.44, "longitude": -122.16, "name": "Acme", "address": "1 Hacker Way"} | [location: Acme, 1 Hacker Way, 37.44, -122.16]
            location    | {"latitude": 1.5, "longitude": 2}  | [location: 1.5, 2]
            contacts    | [{"name": {"formatted_name": "Bo Li"}, "phones": [{"phone": "+1 650"}], "emails": [{"email": "b@x.example"}]}] | [contact: Bo Li, +1 650, b@x.example]
            sticker     | {"id": "1", "mime_type": "image/webp", "animated": false} | [sticker]
            button      | {"payload": "Yes", "text": "Yes, please"} | Yes, please
            interactive | {"type": "nfm_reply", "nfm_reply": {"response_json": "{\\"a\\":1}", "body": "Sent", "name": "flow"}} | [form: {"a":1}]
            order       | {"catalog_id": "1", "text": "soon", "product_items": [{"product_retailer_id": "sku-1", "quantity": 2, "item_price": 9.5, "currency": "EUR"}]} | ^[order: 2 × sku-1 at 9.5 EUR]
            soon^
            text        | {"body": ""} | [a message whose content cannot be read here]
            """)
    void whateverAMessageIsIsToldInWords(String type, String content, String expected) {
        assertEquals(expected, text(type, content));
    }

    @Test
    @Tag("B202")
    void whatWhatsAppDoesNotHandOverIsSaid() {
        String unsupported =
                "\"type\": \"unsupported\", \"errors\": [{\"code\": 131051, \"title\": \"Message type unknown\"}]";

        assertEquals(
                "[a message whose content cannot be read here: Message type unknown]",
                message(unsupported).text());
        assertEquals(
                Event.UNREADABLE,
                message("\"type\": \"of_next_year\", \"of_next_year\": {}").text());
    }

    @ParameterizedTest
    @Tag("B202")
    @CsvSource(delimiter = '|', textBlock = """
            image    | {"id": "7", "mime_type": "image/jpeg", "caption": "look", "sha256": "x"}   | image.jpg  | image/jpeg | look
            audio    | {"id": "7", "mime_type": "audio/ogg; codecs=opus", "voice": true}          | voice.ogg  | audio/ogg  |
            audio    | {"id": "7", "mime_type": "audio/mpeg", "voice": false}                     | audio.mp3  | audio/mpeg |
            video    | {"id": "7", "mime_type": "video/mp4"}                                      | video.mp4  | video/mp4  |
            document | {"id": "7", "mime_type": "application/pdf", "filename": "../a/b.pdf"}      | b.pdf      | application/pdf |
            document | {"id": "7", "mime_type": "???"}                                            | document   | application/octet-stream |
            sticker  | {"id": "7", "mime_type": "image/webp"}                                     | sticker.webp | image/webp | [sticker]
            """)
    void filesAreFetchedByTheirId(String type, String content, String name, String mimeType, String text) {
        ChatMessage message = message("\"type\": \"%s\", \"%s\": %s".formatted(type, type, content));

        Attachment file = message.attachments().getFirst();
        assertEquals("7", file.fileId());
        assertTrue(file.name().endsWith(name), file.name());
        assertFalse(file.name().contains("/"), file.name());
        assertEquals(mimeType, file.mimeType());
        assertEquals(text == null ? "" : text, message.text());
    }

    @Test
    @Tag("B202")
    void repliesAndForwardsAreKnown() {
        ChatMessage reply = message(
                "\"type\": \"text\", \"text\": {\"body\": \"42\"}, \"context\": {\"from\": \"15550783881\", \"id\": \"wamid.Q\"}");
        ChatMessage forwarded =
                message("\"type\": \"text\", \"text\": {\"body\": \"x\"}, \"context\": {\"forwarded\": true}");

        assertEquals("wamid.Q", reply.repliesTo());
        assertEquals("[forwarded]", forwarded.context());
    }

    @Test
    @Tag("B204")
    void pressesOfButtonsAndRowsAreEventsOfTheirOwn() {
        for (String type : List.of("button_reply", "list_reply")) {
            ButtonPress press = assertInstanceOf(ButtonPress.class, event("""
                            "type": "interactive", "context": {"from": "15550783881", "id": "wamid.Q"},
                            "interactive": {"type": "%1$s", "%1$s": {"id": "data", "title": "Yes"}}
                            """.formatted(type)));

            assertEquals("data", press.data());
            assertEquals("wamid.Q", press.message());
            assertEquals(USER, press.author().id());
        }
    }

    @Test
    @Tag("B202")
    void aReactionIsAnOpinionAboutTheMessage() {
        Event.Feedback given = assertInstanceOf(
                Event.Feedback.class,
                event("\"type\": \"reaction\", \"reaction\": {\"message_id\": \"wamid.Q\", \"emoji\": \"👍\"}"));
        Event.Feedback taken = assertInstanceOf(
                Event.Feedback.class, event("\"type\": \"reaction\", \"reaction\": {\"message_id\": \"wamid.Q\"}"));

        assertEquals("wamid.Q", given.message());
        assertEquals("GOOD", given.opinion().name());
        assertEquals("WITHDRAWN", taken.opinion().name());
    }

    @ParameterizedTest
    @Tag("B203")
    @CsvSource(delimiter = '|', textBlock = """
            {"type": "user_changed_user_id", "previous_user_id": "US.1", "user_id": "US.2"}  | US.1 | US.2
            {"type": "user_changed_number", "wa_id": "12", "user_id": "US.2", "previous_user_id": "US.1"} | US.1 | US.2
            {"type": "user_changed_user_id", "user_id": "US.2"}                              | US.13491208655302741918 | US.2
            """)
    void aNewIdMovesThePerson(String system, String from, String to) {
        assertEquals(new Event.Migrated("wa", from, to, true), event("\"type\": \"system\", \"system\": " + system));
    }

    @Test
    @Tag("B203")
    void otherSystemMessagesAndGroupsAreCounted() {
        assertEquals(
                new Event.Other("system"),
                event("\"type\": \"system\", \"system\": {\"type\": \"user_identity_changed\", \"body\": \"x\"}"));
        assertEquals(
                new Event.Other("group"),
                event("\"group_id\": \"Y2FwaV9ncm91cDo\", \"type\": \"text\", \"text\": {\"body\": \"all\"}"));
    }

    @Test
    @Tag("B201")
    void messagesToOtherNumbersOfTheAppAreLeftOut() {
        JsonNode payload = json("""
                {"entry": [{"changes": [{"field": "messages", "value": {"metadata": {"phone_number_id": "1"},
                  "messages": [{"id": "x", "from": "1", "type": "text", "text": {"body": "x"}}]}}]}]}
                """);

        assertEquals(List.of(), Notification.read(payload, NUMBER).messages());
        assertEquals(
                List.of(),
                Notification.read(json("[1, {\"entry\": 7}]"), NUMBER).messages());
    }

    @Test
    @Tag("B207")
    void statusesAreReportsAboutDeliveries() {
        Notification notification = read("", """
                {"id": "wamid.S", "status": "sent", "biz_opaque_callback_data": "d-0"},
                {"id": "wamid.S", "status": "read", "recipient_user_id": "US.1"},
                {"id": "wamid.F", "status": "failed", "biz_opaque_callback_data": "d-1", "errors": [
                  {"code": 131047, "title": "Re-engagement message", "error_data": {"details": "more than 24 hours"}}]}
                """);

        assertEquals(
                List.of(
                        new DeliveryReport("d-0", "wamid.S", null),
                        new DeliveryReport(
                                "d-1",
                                "wamid.F",
                                "WhatsApp reports: (131047) Re-engagement message: more than 24 hours")),
                notification.reports());
    }

    @Test
    @Tag("B201")
    void aLongIdHasADigestAsReference() {
        String id = "wamid." + "A".repeat(150);

        assertEquals(64, Notification.reference(id).length());
        assertEquals(Notification.reference(id), Notification.reference(id));
    }
}
