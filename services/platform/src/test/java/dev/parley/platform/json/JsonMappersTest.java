package dev.parley.platform.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of lists and maps, and of trees that are made of them, in both versions of the library. */
class JsonMappersTest {
    @ParameterizedTest
    @ValueSource(strings = {"7", "7.50", "10000000.0", "0.0005", "123456789012345678.25", "1E+7", "-1E-9"})
    void numbersHaveAllDigitsAndNoExponent(String number) throws IOException {
        // Given
        Map<String, Object> map = Map.of("n", new BigDecimal(number));
        String expected = "{\"n\":" + new BigDecimal(number).toPlainString() + "}";
        ObjectMapper second = JsonMappers.stored();
        var third = JsonMappers.shared3();

        // Then
        assertEquals(expected, second.writeValueAsString(map));
        String tree = second.valueToTree(map).path("n").toString(); // without zeros at its end
        assertEquals(0, new BigDecimal(number).compareTo(new BigDecimal(tree)));
        assertFalse(tree.contains("E"), tree);
        assertEquals(expected, third.writeValueAsString(map));
        assertEquals(expected, third.valueToTree(map).toString());
        assertEquals(expected, third.writeValueAsString(third.readTree(expected)));
    }
}
