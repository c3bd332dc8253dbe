package dev.parley.domain.json;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A JSON text that costs too much is rejected while it is read. */
@Tag("B35")
class JsonBoundsTest {
    private static final JsonBounds BOUNDS = JsonBounds.REQUEST;

    @Test
    void rejectsWideJson() {
        assertRejected("too_many_values", "{\"a\":[" + "[],".repeat(BOUNDS.tokens() / 2) + "[]]}");
    }

    @Test
    void rejectsDeepJson() {
        assertRejected("too_deep", nested(BOUNDS.depth() + 1));
        assertRejected("too_deep", "[".repeat(1 << 20));
        assertRejected("too_deep", "{\"a\":".repeat(100_000));
        assertDoesNotThrow(() -> check(nested(BOUNDS.depth())));
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }

    @Test
    void rejectsManyMembersOfOneObject() {
        assertRejected("too_many_members", object(BOUNDS.members() + 1));
        assertDoesNotThrow(() -> check("[" + object(BOUNDS.members()) + "," + object(BOUNDS.members()) + "]"));
    }

    private static String object(int members) {
        return IntStream.range(0, members).mapToObj(i -> "\"k" + i + "\":1").collect(Collectors.joining(",", "{", "}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e1000000000", "1e99999999999", "-1E+401", "[0.1e-00401]"})
    void rejectsNumbersOutOfRange(String json) {
        assertRejected("number_out_of_range", json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e308", "1e-0000308", "1e0", "[1E+400]", "12345678901234567890"})
    void takesOrdinaryNumbers(String json) {
        assertDoesNotThrow(() -> check(json));
    }

    @Test
    void rejectsLongNumbersAndNames() {
        assertThrows(IOException.class, () -> check("[" + "9".repeat(JsonBounds.MAX_NUMBER + 1) + "]"));
        assertThrows(IOException.class, () -> check("{\"" + "n".repeat(JsonBounds.MAX_NAME + 1) + "\":1}"));
    }

    @Test
    void depthCountsAfterSkippedValues() throws IOException {
        try (var parser = BOUNDS.factory().createParser("[" + "[[1],2],".repeat(1_000) + "3]")) {
            parser.nextToken();
            while (parser.nextToken() != null) {
                parser.skipChildren();
            }
        }
    }

    private static void assertRejected(String code, String json) {
        var e = assertThrows(JsonBoundsException.class, () -> check(json));
        assertEquals(code, e.code());
    }

    private static void check(String json) throws IOException {
        BOUNDS.check(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }
}
