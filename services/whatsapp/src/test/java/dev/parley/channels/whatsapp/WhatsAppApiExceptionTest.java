package dev.parley.channels.whatsapp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatsAppApiExceptionTest {
    private static SendFailure failure(int code, boolean inDoubt, Duration retryAfter) {
        var e = new WhatsAppApiException(code, "message", inDoubt, retryAfter);
        return e.toSendFailure(e.kind());
    }

    @ParameterizedTest
    @Tag("B206")
    @CsvSource(delimiter = '|', textBlock = """
            130429 | LATER   | PT2S  | messages of the number
            131056 | LATER   | PT6S  | messages to one person
            131048 | LATER   | PT10M | marked as spam
            80007  | LATER   | PT30S | calls of the account
            4      | LATER   | PT30S | calls of the app
            131016 | LATER   | PT2S  | unavailable
            131000 | LATER   | PT2S  | failed for an unknown reason
            131057 | LATER   | PT1M  | maintenance
            131026 | CLOSED  |       | undeliverable
            131030 | CLOSED  |       | not a number of the test
            130497 | CLOSED  |       | not in this country
            131047 | REFUSED |       | after the window
            131049 | REFUSED |       | marketing
            131051 | REFUSED |       | unknown type
            131053 | REFUSED |       | media
            131009 | REFUSED |       | parameter
            132001 | REFUSED |       | no such template
            100    | REFUSED |       | parameter
            190    | REVOKED |       | token
            0      | REVOKED |       | token
            10     | REVOKED |       | right
            200    | REVOKED |       | right
            131005 | REVOKED |       | right
            131031 | REVOKED |       | account locked
            131042 | REVOKED |       | payment
            368    | REVOKED |       | policy
            133010 | REVOKED |       | number not registered
            """)
    void mapsCodesToKinds(int code, Kind kind, Duration wait) {
        SendFailure failure = failure(code, false, null);

        assertEquals(kind, failure.kind());
        assertEquals(wait, failure.retryAfter());
    }

    @Test
    @Tag("B206")
    void aCallWithoutAnAnswerMayHaveBeenCarriedOut() {
        assertEquals(
                Kind.IN_DOUBT,
                failure(WhatsAppApiException.NO_ANSWER, true, null).kind());
        assertEquals(
                Kind.LATER, failure(WhatsAppApiException.NO_ANSWER, false, null).kind());
        assertEquals(Kind.IN_DOUBT, failure(1, true, null).kind());
    }

    @Test
    @Tag("B206")
    void theWaitThatMetaAsksForCounts() {
        assertEquals(
                Duration.ofSeconds(17),
                failure(130_429, false, Duration.ofSeconds(17)).retryAfter());
    }
}
