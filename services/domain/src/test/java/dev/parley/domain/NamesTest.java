package dev.parley.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.text.Normalizer;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static final int[] OVERRIDES = {
        0x61C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069
    };
    private static final int[] UNSEEN = {
        0x0, 0x7, 0x7F, 0x85, 0xAD, 0x34F, 0x115F, 0x17B4, 0x180E, 0x200B, 0x200C, 0x200D, 0x2028, 0x2029, 0x2060,
        0x2064, 0x206A, 0x3164, 0xD800, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFE, 0xE0001, 0xE0041, 0xE007F,
        0xE0100
    };

    private static String text(int point) {
        return Character.toString(point);
    }

    @Test
    @Tag("B76")
    void hiddenCharactersAreInNoName() {
        for (int[] points : new int[][] {OVERRIDES, UNSEEN}) {
            for (int point : points) {
                for (String name : new String[] {"a" + text(point) + "b", text(point) + "ab", "ab" + text(point)}) {
                    String code = "U+%04X".formatted(point);
                    assertTrue(Names.problemOfKey(name).orElse("").contains(code), code);
                    assertTrue(Names.problemOfText(name).orElse("").contains(code), code);
                    assertEquals("ab", Names.cleaned(name).replace(" ", ""), code);
                    assertEquals("ab", Names.ofFile(name).replace(" ", ""), code);
                    assertTrue(Names.visible(name).contains("\\u"), code);
                    assertFalse(Names.visible(name).contains(text(point)), code);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Zoë Müller",
                "Ιωάννης",
                "Анна Каренина",
                "محمد علي",
                "می\u200Cخواهم",
                "क्\u200Dष",
                "ශ්\u200Dරී",
                "שלום",
                "👩\u200D👩\u200D👧 family",
                "❤\uFE0F\u200D🔥",
                "1\uFE0F\u20E3 first",
                "🏴\uDB40\uDC67\uDB40\uDC62\uDB40\uDC65\uDB40\uDC6E\uDB40\uDC67\uDB40\uDC7F",
                "葛\uDB40\uDD00飾区",
                "東京 Tokyo",
                "\u0600123"
            })
    void textsKeepWhatTheirScriptNeeds(String text) {
        assertEquals(Optional.empty(), Names.problemOfText(text));
        assertEquals(Normalizer.normalize(text, Normalizer.Form.NFC), Names.cleaned(text));
        assertEquals(text, Names.visible(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "telegram:648079060",
                "api:2b0e6e1c-8d8e-4d5c-9b0c-3f5b1a2b3c4d",
                "workflow:abc:default",
                "a:delegate:researcher~2",
                "slack:C024BE91L:1355517523.000008",
                "проект-alpha:1",
                "東京Tower:café",
                "한국abc",
                "Ünïcode",
                "x@y.z;*!$&'()[]{}|=+,~"
            })
    void keysOfOneReadingAreAccepted(String key) {
        assertEquals(Optional.empty(), Names.problemOfKey(key));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "аdmin", // Cyrillic а
                "x:dеlegate:researcher", // Cyrillic е
                "ѕсоре:1", // Cyrillic letters that look like Latin ones
                "ο:1",
                "ａdmin",
                "telegram：1",
                "ﬁle",
                "cafe\u0301",
                "\u212Bngstrom",
                "a\u00A0b",
                "a\u3000b",
                "a\u2800b",
                "a\uE000b"
            })
    @Tag("B76")
    void keysThatReadAsOthersAreNot(String key) {
        assertTrue(Names.problemOfKey(key).isPresent(), key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "", " ", "...", "\u202E", " . ", "\u200B."})
    void aFileAlwaysHasAName(String name) {
        assertEquals("file", Names.ofFile(name));
    }

    @Test
    void filesAreNoPathsAndNoDevices() {
        assertEquals(".._.._etc_passwd", Names.ofFile("../../etc/passwd"));
        assertEquals("a_b_c_d  e", Names.ofFile("a\\b:c\"d\r\ne"));
        assertEquals("_NUL.txt", Names.ofFile("NUL.txt"));
        assertEquals("invoicefdp.exe", Names.ofFile("invoice\u202Efdp.exe"));
        assertEquals("😀".repeat(125) + ".png", Names.ofFile("😀".repeat(300) + ".png"));
        assertEquals("caf\u00E9.md", Names.ofFile("cafe\u0301.md"));
    }

    @Test
    void escapesCanBeReadAsJson() {
        assertEquals("{\"to\":\"a\\u202Eb\\uDB40\\uDC41\"}\n", Names.visible("{\"to\":\"a\u202Eb\uDB40\uDC41\"}\n"));
    }

    /** Whatever characters a name is made of, made safe it has no problem, and stays the same when made safe again. */
    @Test
    void whatIsMadeSafeIsSafe() {
        var random = new Random(79);
        for (int round = 0; round < 20_000; round++) {
            var name = new StringBuilder();
            for (int i = random.nextInt(8); i >= 0; i--) {
                name.appendCodePoint(
                        switch (random.nextInt(5)) {
                            case 0 -> OVERRIDES[random.nextInt(OVERRIDES.length)];
                            case 1 -> UNSEEN[random.nextInt(UNSEEN.length)];
                            case 2 -> random.nextInt(0x110000);
                            default -> " ./\\abcdé:".charAt(random.nextInt(10));
                        });
            }
            String raw = name.toString();
            String cleaned = Names.cleaned(raw);
            assertEquals(Optional.empty(), Names.problemOfText(cleaned), raw);
            String file = Names.ofFile(raw);
            assertEquals(Optional.empty(), Names.problemOfText(file), raw);
            assertEquals(file, Names.ofFile(file), raw);
            assertFalse(
                    file.isBlank() || file.contains("/") || Set.of(".", "..").contains(file), raw);
        }
    }
}
