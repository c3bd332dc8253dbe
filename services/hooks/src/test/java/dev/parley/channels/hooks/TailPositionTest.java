package dev.parley.channels.hooks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TailPositionTest {
    @Test
    @Tag("I150")
    void readsBackItsText() {
        var position = new TailPosition(List.of(0L, 12L, Long.MAX_VALUE), List.of(7L));

        assertEquals("0.12.9223372036854775807_7", position.toString());
        assertEquals(Optional.of(position), TailPosition.parse(position.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_", "1", "1_", "1._2", "1_2_3", "-1_2", "a_2", "1_99999999999999999999999"})
    @Tag("I150")
    void rejectsInvalidTexts(String text) {
        assertEquals(Optional.empty(), TailPosition.parse(text));
    }
}
