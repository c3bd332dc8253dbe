package dev.parley.channels.bots;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskTextTest {
    private static final String QUESTION = """
            {"prompt": "Which?", "options": ["red", {"label": "Light blue", "value": {"hex": "add8e6"}}]}
            """;

    @ParameterizedTest
    @Tag("B204")
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            red         | {"value":"red"}
            RED         | {"value":"red"}
            light blue  | {"value":{"hex":"add8e6"}}
            2           | {"value":{"hex":"add8e6"}}
            1.          | {"value":"red"}
            0           | {"value":"0"}
            3           | {"value":"3"}
            green       | {"value":"green"}
            """)
    void anOptionIsNamedByItsValueLabelOrNumber(String text, String answer) {
        assertEquals(answer, new TaskText(QUESTION).parse(text));
    }

    @Test
    @Tag("B204")
    void aNumberAmongNumbersIsNoPosition() {
        String question = "{\"prompt\": \"How many?\", \"options\": [\"10\", \"20\"]}";

        assertEquals("{\"value\":\"1\"}", new TaskText(question).parse("1"));
        assertEquals("{\"value\":\"20\"}", new TaskText(question).parse("20"));
    }
}
