package dev.parley.server.workflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.workflows.json.JsonText;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments and variables of commands and containers have each digit of the process's numbers. */
class CommandNumbersTest {
    @ParameterizedTest
    @CsvSource({
        "7, 7",
        "10000000.0, 10000000.0",
        "0.0005, 0.0005",
        "0.0000001, 0.0000001",
        "-1.10, -1.10",
        "1e7, 10000000",
        "123456789012345678.25, 123456789012345678.25",
        "123456789012345678901234567890, 123456789012345678901234567890",
        "0.123456789012345678901234567890, 0.123456789012345678901234567890",
        "9007199254740993, 9007199254740993",
    })
    @Tag("B100")
    void numbersAreTextWithEachDigit(String written, String text) {
        assertEquals("\"" + text + "\"", CommandRun.text(JsonText.read(written)).toString());
    }
}
