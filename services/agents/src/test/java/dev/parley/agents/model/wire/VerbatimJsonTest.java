package dev.parley.agents.model.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class VerbatimJsonTest {

    @Test
    @Tag("P26")
    void partsKeepTheirOriginalText() throws IOException {
        // Given
        String item = """
                {"n": 9007199254740993123456789, "f":1.0 ,"e":1E+2,"twice":1,"twice":2, "nul":"a\\u0000b",\
                 "half":"\\ud83d", "emoji":"😀\\/", "list":[ 1 , {"z":null,"a":true} ]}""";

        // When
        var json = VerbatimJson.parse("  [" + item + ", 5]\n");

        // Then
        assertEquals(item, json.items().getFirst().text());
        VerbatimJson first = json.items().getFirst();
        assertEquals("9007199254740993123456789", first.at("n").text());
        assertEquals("1.0", first.at("f").text());
        assertEquals("1E+2", first.at("e").text());
        assertEquals("2", first.at("twice").text());
        assertEquals("\"a\\u0000b\"", first.at("nul").text());
        assertEquals("a\u0000b", first.at("nul").string());
        assertEquals("\ud83d", first.at("half").string());
        assertEquals("😀/", first.at("emoji").string());
        assertEquals("[ 1 , {\"z\":null,\"a\":true} ]", first.at("list").text());
        assertEquals("5", json.items().get(1).text());
    }

    @Test
    void missingMembersAreEmpty() throws IOException {
        var json = VerbatimJson.parse("{\"a\":{\"b\":\"c\"},\"n\":null}");

        assertEquals("c", json.at("a", "b").string());
        assertEquals("", json.at("x", "y", "z").string());
        assertEquals("else", json.at("x").string("else"));
        assertEquals(0, json.at("a", "b").number());
        assertFalse(json.at("n").isPresent());
        assertEquals("", json.at("x").text());
    }

    @Test
    void readsNumbersOfAnyFormAsLong() throws IOException {
        var json = VerbatimJson.parse("[12, 12.0, 1.2e1, 9007199254740993, 1e999999999]");

        assertEquals(12, json.items().get(0).number());
        assertEquals(12, json.items().get(1).number());
        assertEquals(12, json.items().get(2).number());
        assertEquals(9007199254740993L, json.items().get(3).number());
        assertEquals(0, json.items().get(4).number());
    }

    @Test
    void rejectsInvalidJson() {
        for (String text : new String[] {"", " ", "{", "{\"a\":}", "1 2", "<html>", "{\"a\":1}}"}) {
            assertThrows(IOException.class, () -> VerbatimJson.parse(text), text);
        }
    }

    @Test
    @Tag("P26")
    void generatedItemsKeepTheirText() throws IOException {
        for (long seed = 0; seed < 2_000; seed++) {
            var items = new GeneratedJson(new Random(seed));
            String a = items.value(4);
            String b = items.value(4);
            var json = VerbatimJson.parse("{ \"first\" :" + a + ",\"second\":\n" + b + " }");

            assertEquals(a, json.at("first").text(), "seed " + seed);
            assertEquals(b, json.at("second").text(), "seed " + seed);
        }
    }

    @Test
    @Tag("P26")
    void membersAreReplacedAndEverythingElseStays() throws IOException {
        var json = VerbatimJson.parse(" [{ \"a\" : 1.0,\"b\":\"x\" ,\"a\":2.0, \"c\":[1e2] } ]")
                .items()
                .getFirst();

        assertEquals(
                "{ \"a\" : 1.0,\"b\":\"longer\" ,\"a\":3, \"c\":[1e2] ,\"new\":{}}",
                json.with(Map.of("a", "3", "b", "\"longer\"", "new", "{}")));
        assertEquals("{\"a\":1}", VerbatimJson.parse("{}").with(Map.of("a", "1")));
    }
}
