package dev.parley.language.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sentences of texts with blocks of data. */
class SentencesTest {
    private static List<String> sentences(String text) {
        return Sentences.of(text).stream()
                .map(sentence -> text.substring(sentence.from(), sentence.to()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<data>\nfoo bar</data>\nWe meet on Monday.",
                "<data>\r\nfoo bar\r\n</data>\r\nWe meet on Monday.",
                "<data>foo bar</data> We meet on Monday.",
                "<data>foo bar</data><data>foo\nbar</data> We meet on Monday.",
                "<DATA>foo bar</data>\nWe meet on Monday.",
                "<data>\nfoo bar</DATA>\nWe meet on Monday.",
                "<document>\n<data>\nfoo\n</data>\nbar\n</document>\nWe meet on Monday.",
                "</data> We meet on Monday."
            })
    void endsABlockAtItsClosingTag(String text) {
        assertEquals(List.of("We meet on Monday."), sentences(text));
    }

    @Test
    void readsOnAfterMarkupInACodeFence() {
        assertEquals(List.of("We meet on Monday."), sentences("```\n<script>\nfoo();\n```\nWe meet on Monday."));
    }

    @Test
    void ignoresACodeFenceInABlock() {
        assertEquals(List.of("We meet on Monday."), sentences("<data>\n```\nfoo\n</data>\nWe meet on Monday."));
    }

    @Test
    void ignoresOnlyTheLineOfATagThatIsNotClosed() {
        assertEquals(
                List.of("We meet on Monday.", "Bob comes on Tuesday."),
                sentences("<data> foo bar\nWe meet on Monday.\n<data>\nBob comes on Tuesday."));
    }

    @Test
    void endsADelimitedBlockAtItsOwnMark() {
        String block =
                "BEGIN memory 01234567-89ab-cdef\nBob lives in Rome.\nEND memory 76543210-89ab-cdef\nEmma, too.\n";

        assertEquals(
                List.of("We meet on Monday."), sentences(block + "END memory 01234567-89ab-cdef\nWe meet on Monday."));
        assertEquals(List.of(), sentences(block + "We meet on Monday."), "the end was cut off");
    }
}
