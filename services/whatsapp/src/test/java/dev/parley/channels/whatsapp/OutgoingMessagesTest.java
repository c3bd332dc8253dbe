package dev.parley.channels.whatsapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Piece;
import dev.parley.domain.protocol.Choice;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OutgoingMessagesTest {
    private static final String USER = "US.13491208655302741918";
    private static final Delivery DELIVERY = new Delivery("d-0", new UUID(0, 1), null);
    private static final Buttons BUTTONS = new Buttons("wa", () -> "token");

    private static JsonNode words(List<Choice> choices) {
        return OutgoingMessages.words(
                WhatsAppApi.message(), Piece.Words.plain("Which?").with(choices), USER, BUTTONS);
    }

    private static List<Choice> choices(int number, String label) {
        return IntStream.range(0, number)
                .mapToObj(i -> new Choice(label + i, "model", "value " + i))
                .toList();
    }

    @Test
    @Tag("B203")
    void aUserIdIsNoPhoneNumber() {
        JsonNode toUser = OutgoingMessages.to(new ConversationAddress("wa", USER, null), DELIVERY);
        JsonNode toPhone = OutgoingMessages.to(new ConversationAddress("wa", "16505551234", null), DELIVERY);

        assertEquals(USER, toUser.path("recipient").asText());
        assertFalse(toUser.has("to"), "it would win");
        assertEquals("16505551234", toPhone.path("to").asText());
        assertFalse(toPhone.has("recipient"));
        assertEquals("d-0", toUser.path("biz_opaque_callback_data").asText());
    }

    @Test
    @Tag("B204")
    void upToThreeShortChoicesAreButtons() {
        JsonNode interactive = words(choices(3, "Option ")).path("interactive");

        assertEquals("button", interactive.path("type").asText());
        JsonNode reply = interactive.path("action").path("buttons").path(2).path("reply");
        assertEquals("Option 2", reply.path("title").asText());
        Choice read = BUTTONS.read(USER, reply.path("id").asText()).orElseThrow();
        assertEquals("value 2", read.value());
    }

    @Test
    @Tag("B204")
    void moreOrLongerChoicesAreRows() {
        for (List<Choice> choices : List.of(
                choices(4, "Option "),
                choices(2, "A label of more than 20 "),
                List.of(new Choice("Same", "model", "1"), new Choice("Same", "model", "2")))) {
            JsonNode interactive = words(choices).path("interactive");
            JsonNode rows = interactive.path("action").path("sections").path(0).path("rows");

            assertEquals("list", interactive.path("type").asText());
            assertEquals(choices.size(), rows.size());
        }
        JsonNode row = words(choices(1, "A label that is much longer than 24 "))
                .path("interactive")
                .path("action")
                .path("sections")
                .path(0)
                .path("rows")
                .path(0);
        assertEquals(24, row.path("title").asText().length());
        assertEquals(
                "A label that is much longer than 24 0", row.path("description").asText());
    }

    @Test
    @Tag("B205")
    void aTemplateHasTheTextInOneLine() {
        Piece.Words words = Piece.Words.plain("One\n\n two   three").with(choices(2, "Option "));
        String parameter = OutgoingMessages.parameter(words);

        assertEquals("One · two three · 1. Option 0 · 2. Option 1", parameter);
        JsonNode template = OutgoingMessages.template(WhatsAppApi.message(), "update/en_US", parameter)
                .path("template");
        assertEquals("update", template.path("name").asText());
        assertEquals("en_US", template.path("language").path("code").asText());
        assertEquals(
                parameter, template.findPath("parameters").path(0).path("text").asText());
    }

    @Test
    @Tag("B204")
    void filesAreShownAsWhatWhatsAppTakes() {
        assertEquals("image image/png", how("image/png", 10));
        assertEquals("document image/png", how("image/png", (5 << 20) + 1));
        assertEquals("document image/gif", how("image/gif", 10));
        assertEquals("audio audio/ogg", how("audio/ogg; codecs=opus", 10));
        assertEquals("document video/mp4", how("video/mp4", (16 << 20) + 1));
        assertEquals("document text/plain", how("text/csv", 10));
        assertEquals("document text/plain", how("application/json", 10));
        assertEquals("document application/pdf", how("Application/PDF", 10));
    }

    private static String how(String mimeType, int size) {
        var file = OutgoingFile.of(new Piece.Document("a", mimeType, new byte[size], Piece.Words.plain("")));
        return file.type() + " " + file.mimeType();
    }
}
