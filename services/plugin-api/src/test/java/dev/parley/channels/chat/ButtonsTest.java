package dev.parley.channels.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.protocol.Choice;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ButtonsTest {
    private final Buttons buttons = new Buttons("bot", () -> "1:token");
    private final Choice choice = new Choice("The other one", "model", "scripted/other");

    @Test
    @Tag("P45")
    void readsBackTheChoiceOfAButton() {
        String data = buttons.data("7", choice);

        assertEquals(Optional.of(new Choice("", "model", "scripted/other")), buttons.read("7", data));
    }

    @Test
    void buttonIsValidForItsBotAndChatOnly() {
        String data = buttons.data("7", choice);

        assertEquals(Optional.empty(), buttons.read("8", data));
        assertEquals(Optional.empty(), new Buttons("other", () -> "1:token").read("7", data));
        assertEquals(Optional.empty(), new Buttons("bot", () -> "1:other").read("7", data));
    }

    @Test
    void rejectsModifiedData() {
        String data = buttons.data("7", choice);
        var random = new Random(7);

        for (int i = 0; i < data.length(); i++) {
            char other = (char) ('!' + random.nextInt(90));
            if (other != data.charAt(i)) {
                String forged = data.substring(0, i) + other + data.substring(i + 1);
                assertEquals(Optional.empty(), buttons.read("7", forged), forged);
            }
        }
        for (String junk : List.of("", "|", "model|scripted/other", "x".repeat(64), "|||||||||||||", "\u0000|\uD800")) {
            assertEquals(Optional.empty(), buttons.read("7", junk), junk);
        }
    }

    @Test
    void shortensALongValueAndFindsItAgain() {
        String model = "provider/" + "ä".repeat(100);
        var data = buttons.data("7", new Choice("long", "model", model));

        assertTrue(data.getBytes(StandardCharsets.UTF_8).length <= 64, data);
        String value = buttons.read("7", data).orElseThrow().value();
        assertEquals(Optional.of(model), Buttons.resolve(value, List.of("a/b", model)));
        assertEquals(Optional.empty(), Buttons.resolve(value, List.of("a/b")));
    }
}
