package dev.parley.control.prices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.http.ApiException;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** Prices that cannot be set. */
class PriceControllerTest {
    @Test
    void rejectsAPriceOfTheScriptedModel() {
        // Given
        var price = new PriceController.NewPrice(BigDecimal.ONE, BigDecimal.ONE, null, null);

        // When
        var refused = assertThrows(
                ApiException.class, () -> new PriceController(null).set("scripted", "scripted", price, null, null));

        // Then
        assertEquals(400, refused.status().getCode());
        assertTrue(refused.getMessage().contains("always free"), refused.getMessage());
    }
}
