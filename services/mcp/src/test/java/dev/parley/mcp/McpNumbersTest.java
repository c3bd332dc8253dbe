package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments of the server's tools reach the routes behind them with each digit. */
class McpNumbersTest {
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
    void argumentsHaveTheDigitsThatTheModelWrote(String written, String sent) throws IOException {
        // Given
        String call = "{\"input\":{\"n\":%1$s,\"deep\":[{\"m\":%1$s}]}}".formatted(written);

        // When
        var arguments = new McpArguments((ObjectNode) McpJson.read(call.getBytes(StandardCharsets.UTF_8)));

        // Then
        assertEquals(
                "{\"input\":{\"n\":%1$s,\"deep\":[{\"m\":%1$s}]}}".formatted(sent),
                new String(McpJson.bytes(arguments.body("input")), StandardCharsets.UTF_8));
    }
}
