package dev.parley.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class SearchQueryTest {
    @Test
    @Tag("I69")
    void parsesWordsPhrasesAndPrefixes() {
        assertEquals(
                "(crème) & (brulee)".replace("è", "e"),
                SearchQuery.parse("Crème brûlée").toTsQuery());
        assertEquals(
                "(big <-> red <-> fox)", SearchQuery.parse("\"big red fox\"").toTsQuery());
        assertEquals("(kaf:*) & (x <-> y)", SearchQuery.parse("kaf* x-y").toTsQuery());
    }

    @Test
    void ignoresTsquerySyntax() {
        assertEquals(
                "(a) & (b) & (drop) & (c)",
                SearchQuery.parse("a' & !(b) | <-> :* drop; \\c").toTsQuery());
        assertTrue(SearchQuery.parse("\"\" ** !!").terms().isEmpty());
    }

    @Test
    @Tag("I69")
    void snippetKeepsTheOriginalSpelling() {
        var snippet =
                SearchQuery.parse("cafe").snippet("x ".repeat(100) + "the Cafe\u0301 is open " + "y ".repeat(100));

        var hit = snippet.highlights().getFirst();
        assertEquals("Café", snippet.text().substring(hit.get(0), hit.get(1)));
        assertTrue(snippet.text().length() <= 160);
    }
}
