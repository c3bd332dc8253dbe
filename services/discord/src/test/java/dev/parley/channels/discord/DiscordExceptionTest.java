package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.channels.contract.SendFailure.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiscordExceptionTest {
    @ParameterizedTest
    @Tag("P49")
    @CsvSource({
        "401, 0, false, REVOKED",
        "403, 50001, false, CLOSED",
        "403, 50007, false, CLOSED",
        "403, 50013, false, CLOSED",
        "403, 200000, false, REFUSED",
        "404, 10003, false, CLOSED",
        "404, 10008, false, GONE",
        "400, 50035, false, REFUSED",
        "400, 50083, false, CLOSED",
        "413, 40005, false, REFUSED",
        "429, 0, false, LATER",
        "500, 0, true, IN_DOUBT",
        "502, 0, true, IN_DOUBT",
        "0, 0, true, IN_DOUBT",
        "0, 0, false, LATER"
    })
    void mapsErrorsToFailureKinds(int status, int code, boolean inDoubt, Kind kind) {
        assertEquals(kind, new DiscordException(status, code, "x", inDoubt, null).kind());
    }
}
