package dev.parley.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 7, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void keepsTheNumbersOfARow(int second) {
        Cursor cursor = Objects.requireNonNull(Cursor.parse(Cursor.of(-9_000_000_000L, second)));
        assertEquals(-9_000_000_000L, cursor.firstNumber());
        assertEquals(second, cursor.secondNumber());
    }

    @Test
    void rejectsACursorWithoutNumbers() {
        Cursor cursor = Objects.requireNonNull(Cursor.parse(Cursor.of("one", "two")));
        assertThrows(ApiException.class, cursor::secondNumber);
    }
}
