package dev.parley.platform.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of lists and maps, and of trees that are made of them. */
class JsonMappersTest {
    @ParameterizedTest
    @ValueSource(strings = {"7", "7.50", "10000000.0", "0.0005", "123456789012345678.25", "1E+7", "-1E-9"})
    void numbersHaveAllDigitsAndNoExponent(String number) throws IOException {
        // Given
        Map<String, Object> map = Map.of("n", new BigDecimal(number));
        String expected = "{\"n\":" + new BigDecimal(number).toPlainString() + "}";
        ObjectMapper mapper = JsonMappers.shared();

        // Then
        assertEquals(expected, mapper.writeValueAsString(map));
        assertEquals(expected, mapper.valueToTree(map).toString());
        assertEquals(expected, mapper.writeValueAsString(mapper.readTree(expected)));
        assertEquals(expected, mapper.writeValueAsString(mapper.convertValue(mapper.readTree(expected), Map.class)));
    }

    @Test
    void textAfterAValueIsNoJson() {
        assertThrows(JsonProcessingException.class, () -> JsonMappers.shared().readTree("12 apples"));
        assertThrows(UncheckedIOException.class, () -> JsonMappers.tree("{} {}"));
    }
}
