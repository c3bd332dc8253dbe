package dev.parley.platform.outbound;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EncodedTextTest {
    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    @ParameterizedTest
    @CsvSource({
        "UTF-8,        false, c3a92c20e282ac,     é, è",
        "UTF-8,        true,  efbbbfc3a92c20e282ac, é, 😀",
        "UTF-16LE,     true,  fffee9002c002000ac20, é, 😀",
        "UTF-16BE,     true,  feff00e9002c002020ac, é, 😀",
        "windows-1252, false, e92c2080,           é, œ",
    })
    @Tag("B151")
    void aChangedTextKeepsItsForm(Charset charset, boolean marked, String hex, String old, String changed) {
        // When
        EncodedText text = EncodedText.of(bytes(hex)).orElseThrow();

        // Then
        assertEquals(new EncodedText("é, €", charset, marked), text);
        EncodedText edited = text.with(text.text().replace(old, changed));
        assertEquals(Optional.of(edited), EncodedText.of(edited.bytes()));
        assertEquals(changed + ", €", edited.text());
        assertArrayEquals(bytes(hex), edited.with("é, €").bytes());
    }

    @Test
    void aCharacterThatTheCharsetLacksIsNamed() {
        // Given
        EncodedText text = EncodedText.of(new byte[] {(byte) 0xE9}).orElseThrow();

        // Then
        var refusal = assertThrows(IllegalArgumentException.class, () -> text.with("a → b"));
        assertEquals("the file is in windows-1252, which has no '→' (U+2192)", refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> text.with("\uD800"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00",
                "6100",
                "e900",
                "e901",
                "e91b",
                "81",
                "fffe00d8",
                "fffe6100ff",
                "feff0000",
                "89504e470d0a1a0a"
            })
    void otherBytesAreNoText(String hex) {
        assertEquals(Optional.empty(), EncodedText.of(bytes(hex)));
    }

    @Test
    @Tag("B151")
    void whateverIsTextHasTheBytesThatItWasReadFrom() {
        var random = new Random(11);
        byte[][] marks = {{}, {}, bytes("efbbbf"), bytes("fffe"), bytes("feff")};
        int texts = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] mark = marks[random.nextInt(marks.length)];
            byte[] bytes = new byte[mark.length + random.nextInt(6)];
            random.nextBytes(bytes);
            System.arraycopy(mark, 0, bytes, 0, mark.length);
            Optional<EncodedText> text = EncodedText.of(bytes);
            text.ifPresent(found -> assertArrayEquals(bytes, found.bytes()));
            texts += text.isPresent() ? 1 : 0;
        }
        assertTrue(texts > 4_000, texts + " texts");
        assertEquals("", EncodedText.of(new byte[0]).orElseThrow().text());
        assertEquals(
                StandardCharsets.UTF_8,
                EncodedText.of(new byte[0]).orElseThrow().charset());
    }
}
