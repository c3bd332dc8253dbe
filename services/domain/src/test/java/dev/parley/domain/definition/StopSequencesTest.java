package dev.parley.domain.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StopSequencesTest {
    @Test
    @Tag("B96")
    void anyTextIsReadAsItWasWritten() {
        for (List<String> stops : List.of(
                List.of("\nObservation:"),
                List.of("\n"),
                List.of("\n\n", "Q: "),
                List.of(" "),
                List.of("\r\n"),
                List.of("\\n", "\\", "\\\\n", "a\\"),
                List.of("\t", "END", "[\"x\"]", "\u2028", "\u0085"))) {
            assertEquals(stops, StopSequences.read(StopSequences.write(stops)));
        }
    }

    @Test
    void optionOfAnAgentHasOneALine() {
        assertEquals(List.of("END", "STOP", "\\d"), StopSequences.read("END\n\nSTOP\r\n\\d"));
        assertEquals(List.of(), StopSequences.read(""));
    }
}
