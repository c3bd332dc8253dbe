package dev.parley.domain.memory.consolidate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracesTest {
    @ParameterizedTest
    @Tag("M38")
    @CsvSource(delimiter = '|', textBlock = """
            Ann drinks tea from a samovar. | Ann drinks tea. | Ann owns a samovar. | [0]
            Ann drinks tea.                | Ann drinks tea. | Ann owns a samovar. | []
            Ann has 3 cats.                | Ann has cats.   | Bob has 3 dogs.     | [0]
            Ann met Bo.                    | Ann met him.    | Bo owns a parrot.   | [0]
            Ann is at it and on it.        | Ann is ill.     | He is on it.        | []
            安は東京に住んでいる。             | Ann drinks tea. | Bob owns a parrot.  | [0]
            """)
    void findsUncitedFactsThatShareAWordWithTheText(String text, String cited, String other, String found) {
        assertEquals(found, Traces.in(text, List.of(cited), List.of(other)).toString());
    }
}
