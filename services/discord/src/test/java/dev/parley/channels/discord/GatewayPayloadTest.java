package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class GatewayPayloadTest {
    @Test
    void errorOfAnUnreadablePayloadDoesNotQuoteIt() {
        var unreadable =
                assertThrows(IllegalArgumentException.class, () -> GatewayPayload.read("{\"op\":0,\"d\":secret}"));

        assertEquals("not valid JSON: JsonParseException", unreadable.getMessage());
    }
}
