package dev.parley.domain.workflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhaseTest {
    @ParameterizedTest
    @EnumSource(Phase.class)
    @Tag("B126")
    void isReadFromItsWordAndFromItsLetter(Phase phase) {
        assertEquals(Optional.of(phase), Phase.of(phase.specificationName()));
        assertEquals(Optional.of(phase), Phase.of(phase.specificationName().toUpperCase(Locale.ROOT)));
        assertEquals(Optional.of(phase), Phase.of(Character.toString(phase.letter())));
        assertEquals(
                Optional.of(phase), Phase.of(Character.toString(phase.letter()).toLowerCase(Locale.ROOT)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "open", "WAIT", "R", "waiting,running", "null"})
    @Tag("B126")
    void isNothingElse(String text) {
        assertEquals(Optional.empty(), Phase.of(text));
    }

    @Test
    void lettersAreDistinct() {
        assertEquals(
                Phase.values().length,
                java.util.stream.Stream.of(Phase.values())
                        .map(Phase::letter)
                        .distinct()
                        .count());
    }
}
