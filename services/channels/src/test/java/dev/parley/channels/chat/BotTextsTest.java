package dev.parley.channels.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BotTextsTest {

    private static Properties file(String language) throws IOException {
        var properties = new Properties();
        String name = "words" + language + ".properties";
        try (Reader reader = new InputStreamReader(
                Objects.requireNonNull(BotTexts.class.getResourceAsStream(name), name), StandardCharsets.UTF_8)) {
            properties.load(reader);
        }
        return properties;
    }

    @ParameterizedTest
    @ValueSource(strings = {"_de", "_es", "_fr"})
    void everyLanguageHasAllTextsAndPlaceholders(String language) throws IOException {
        Properties english = file("");
        Properties other = file(language);

        assertEquals(english.stringPropertyNames(), other.stringPropertyNames());
        for (String name : english.stringPropertyNames()) {
            assertEquals(
                    english.getProperty(name).split("%s", -1).length,
                    other.getProperty(name).split("%s", -1).length,
                    name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_de", "_es", "_fr"})
    void commandDescriptionsFitTelegramsLimits(String language) throws IOException {
        Properties texts = file(language);

        for (String command : ChatCommands.ALL) {
            int length = texts.getProperty("command." + command, "").length();
            assertTrue(length >= 1 && length <= 256, command);
        }
    }

    @Test
    void selectsTheLanguageAndFallsBackToEnglish() {
        assertEquals("Ich tue gerade nichts.", BotTexts.in("de-AT").format("idle"));
        assertEquals("I am not doing anything.", BotTexts.in("en").format("idle"));
        assertEquals("I am not doing anything.", BotTexts.in("xx-nonsense-!").format("idle"));
        assertEquals("I am not doing anything.", BotTexts.in(null).format("idle"));
    }
}
